/** Beef, pork, lamb, poultry, fish and shellfish: item number | name | Japanese name | pack size | unit | aliases. */
export const MEAT_AND_SEAFOOD = `
MEA-3010 | Beef Ribeye Lip-On Choice | 牛リブロース | 14 LB AVG | Lbs | ribeye; rib eye; リブアイ
MEA-3015 | Beef Striploin Choice | 牛サーロイン | 13 LB AVG | Lbs | ny strip; new york strip; strip loin; サーロイン
MEA-3020 | Beef Tenderloin PSMO | 牛ヒレ | 6 LB AVG | Lbs | beef filet; filet mignon; 牛フィレ
MEA-3025 | Beef Chuck Roll | 牛肩ロース | 20 LB AVG | Lbs | chuck roll; chuck roast
MEA-3030 | Beef Brisket Flat | 牛ブリスケット | 10 LB AVG | Lbs | brisket; 牛肩バラ
MEA-3035 | Ground Beef 80/20 | 牛ひき肉 | 8/10 LB | CS | hamburger meat; gr beef; 牛挽肉; 牛ミンチ
MEA-3040 | Beef Flank Steak | 牛フランク | 2 LB AVG | Lbs | flank steak; フランクステーキ
MEA-3045 | Beef Short Ribs Bone-In | 牛ショートリブ | 10 LB AVG | Lbs | short ribs; 骨付きカルビ
MEA-3050 | Sliced Beef for Shabu Shabu | しゃぶしゃぶ用牛肉 | 10/1 LB | CS | shabu beef; 牛しゃぶ
MEA-3055 | A5 Wagyu Striploin | 和牛サーロイン | 12 LB AVG | Lbs | wagyu; wagyu strip; 和牛
MEA-3060 | Pork Loin Boneless | 豚ロース | 9 LB AVG | Lbs | pork loin; 豚ロース肉
MEA-3065 | Pork Belly Skinless | 豚バラ | 12 LB AVG | Lbs | pork belly; 豚バラ肉; 三枚肉
MEA-3070 | Pork Shoulder Butt | 豚肩ロース | 8 LB AVG | Lbs | boston butt; pork butt
MEA-3075 | Pork Tenderloin | 豚ヒレ | 12/1.25 LB | CS | pork filet; 豚フィレ
MEA-3080 | St. Louis Pork Ribs | 豚スペアリブ | 10/3 LB | CS | spare ribs; st louis ribs; スペアリブ
MEA-3085 | Sliced Bacon 14/18 | ベーコンスライス | 15 LB | CS | bacon; layflat bacon; ベーコン
MEA-3090 | Smoked Ham Boneless | ボンレスハム | 2/10 LB | CS | buffet ham; ham; ハム
MEA-3095 | Italian Sausage Links | イタリアンソーセージ | 10 LB | CS | italian sausage; sweet italian links
MEA-3100 | Pork Chorizo | チョリソー | 10 LB | CS | chorizo; mexican sausage
MEA-3105 | Lamb Rack Frenched | ラムラック | 2 LB AVG | Lbs | rack of lamb; 骨付き子羊
PLT-4010 | Chicken Breast Boneless Skinless | 鶏むね肉 | 40 LB | CS | bnls chicken breast; chicken breast; chx breast; チキンブレスト; とりむね; 鶏胸肉
PLT-4015 | Chicken Thigh Boneless Skinless | 鶏もも肉 | 40 LB | CS | bnls chicken thigh; chicken thigh; chx thigh; チキンサイ; とりもも
PLT-4020 | Chicken Wings Jumbo | 手羽先 | 40 LB | CS | wings; chx wings; 鶏手羽先
PLT-4025 | Whole Chicken Fryer | 丸鶏 | 14/3.5 LB | CS | whole fryers; whole birds
PLT-4030 | Chicken Drumsticks | 鶏ドラムスティック | 40 LB | CS | drumsticks; chx legs
PLT-4035 | Breaded Chicken Tenders | チキンテンダー | 2/5 LB | CS | chicken fingers; chx tenders
PLT-4040 | Ground Chicken | 鶏ひき肉 | 4/10 LB | CS | chicken mince; 鶏挽肉; 鶏ミンチ
PLT-4045 | Turkey Breast Oven Roasted | ローストターキー | 2/8 LB | CS | deli turkey; turkey breast; 七面鳥
PLT-4050 | Duck Breast Moulard | 鴨むね肉 | 12/1 LB | CS | duck breast; 合鴨ロース
SEA-5010 | Atlantic Salmon Fillet Skin-On | サーモンフィレ | 3 LB AVG | Lbs | salmon fillet; atl salmon; サーモン; 鮭フィレ
SEA-5015 | Sockeye Salmon Portions 6 OZ | 紅鮭切身 | 10 LB | CS | sockeye; 紅鮭
SEA-5020 | Yellowfin Tuna Saku Block | まぐろサク | 10 LB | CS | ahi saku; tuna saku; マグロ; 鮪
SEA-5025 | Pacific Cod Loins | 真だら切身 | 10 LB | CS | cod loins; cod; たら; 鱈
SEA-5030 | Halibut Fillet | オヒョウフィレ | 5 LB AVG | Lbs | halibut; ハリバット
SEA-5035 | Mahi Mahi Portions | シイラ切身 | 10 LB | CS | dorado; mahi
SEA-5040 | Tilapia Fillet IQF | ティラピアフィレ | 10 LB | CS | tilapia
SEA-5045 | Yellowtail Hamachi Fillet | はまち | 4 LB AVG | Lbs | yellowtail; 鰤; ぶり
SEA-5050 | Mackerel Fillet Saba | さばフィレ | 11 LB | CS | saba; 鯖; mackerel
SEA-5055 | Broiled Eel Unagi Kabayaki | うなぎ蒲焼 | 22 LB | CS | unagi; 鰻; eel
SEA-5060 | Shrimp 16/20 Peeled Deveined | むきえび 16/20 | 5/2 LB | CS | jumbo shrimp; prawns 16/20; 大むきえび
SEA-5065 | Shrimp 31/40 Peeled Tail-Off | むきえび 31/40 | 5/2 LB | CS | medium shrimp; prawns 31/40; 小むきえび
SEA-5070 | Black Tiger Prawns 13/15 Shell-On | ブラックタイガー | 6/4 LB | CS | tiger prawns; black tigers; 有頭えび
SEA-5075 | Sea Scallops U10 Dry | ほたて貝柱 | 5 LB | CS | scallops; dry scallops; ホタテ; 帆立
SEA-5080 | Calamari Tubes and Tentacles | いか | 10/2.5 LB | CS | calamari; squid; 烏賊
SEA-5085 | Cooked Octopus Legs | ゆでだこ | 10 LB | CS | octopus; tako; 蛸
SEA-5090 | Mussels PEI Live | ムール貝 | 10 LB | CS | mussels; pei mussels
SEA-5095 | Littleneck Clams Live | あさり | 100 CT | CS | clams; littlenecks; 浅利
SEA-5100 | Oysters on the Half Shell | 殻付き牡蠣 | 12 DZ | CS | oysters; かき殻付; 牡蠣
SEA-5105 | Snow Crab Clusters | ずわいがに | 20 LB | CS | snow crab; crab legs; ズワイ蟹
SEA-5110 | Salmon Roe Ikura | いくら醤油漬け | 12/500 G | CS | ikura; salmon caviar
`;
