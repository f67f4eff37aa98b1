/** Vegetables and fruit: item number | name | Japanese name | pack size | unit | aliases. */
export const PRODUCE = `
VEG-1010 | Roma Tomatoes | ローマトマト | 25 LB | CS | roma toms; plum tomatoes; プラムトマト; イタリアントマト
VEG-1015 | Cherry Tomatoes | ミニトマト | 12/1 PT | CS | cherry toms; プチトマト; チェリートマト
VEG-1020 | Beefsteak Tomatoes 5x6 | 大玉トマト | 25 LB | CS | slicing tomatoes; beefsteak toms; ビーフステーキトマト
VEG-1030 | Romaine Lettuce Hearts | ロメインレタス | 12/3 CT | CS | romaine hearts; romaine; cos lettuce; コスレタス
VEG-1035 | Iceberg Lettuce | 玉レタス | 24 CT | CS | head lettuce; iceberg; アイスバーグレタス
VEG-1040 | Spring Mix Salad | ベビーリーフミックス | 3 LB | CS | mesclun; baby greens; ベビーリーフ
VEG-1045 | Baby Spinach | サラダほうれん草 | 4/2.5 LB | CS | baby spin; ベビースピナッチ
VEG-1050 | Green Cabbage | キャベツ | 50 LB | CS | cabbage heads; 玉キャベツ
VEG-1055 | Napa Cabbage | 白菜 | 30 LB | CS | chinese cabbage; hakusai
VEG-1060 | Jumbo Yellow Onions | 玉ねぎ | 50 LB | CS | yellow onions; yel onions; たまねぎ; 玉葱
VEG-1065 | Red Onions | 赤玉ねぎ | 25 LB | CS | purple onions; レッドオニオン; 紫玉ねぎ
VEG-1070 | Green Onions | 青ねぎ | 48 CT | CS | scallions; spring onions; 万能ねぎ; 小ねぎ
VEG-1075 | Japanese Leeks | 長ねぎ | 20 CT | CS | naganegi; 白ねぎ; 長葱
VEG-1080 | Russet Potatoes 70 CT | じゃがいも | 50 LB | CS | baking potatoes; idaho potatoes; russets; 馬鈴薯
VEG-1085 | Yukon Gold Potatoes | ユーコンゴールドポテト | 50 LB | CS | yukon golds; yellow potatoes
VEG-1090 | Sweet Potatoes | さつまいも | 40 LB | CS | japanese yams; サツマ芋; 薩摩芋
VEG-1100 | Jumbo Carrots | にんじん | 50 LB | CS | carrots; 人参
VEG-1105 | Celery | セロリ | 24 CT | CS | celery stalks; セルリー
VEG-1110 | Broccoli Crowns | ブロッコリー | 20 LB | CS | broccoli; broc crowns
VEG-1115 | Cauliflower | カリフラワー | 12 CT | CS | cauli
VEG-1120 | Green Zucchini | ズッキーニ | 20 LB | CS | courgettes; italian squash
VEG-1125 | Japanese Cucumbers | きゅうり | 10 LB | CS | kyuri; 胡瓜
VEG-1130 | English Cucumbers | イングリッシュキューカンバー | 12 CT | CS | hothouse cucumbers; seedless cucumbers
VEG-1135 | Red Bell Peppers | 赤パプリカ | 25 LB | CS | red peppers; red bells; パプリカ赤
VEG-1140 | Green Bell Peppers | ピーマン | 25 LB | CS | green peppers; green bells
VEG-1145 | Jalapeño Peppers | ハラペーニョ | 10 LB | CS | jalapenos; green chilies
VEG-1150 | Japanese Eggplant | なす | 20 LB | CS | 茄子; aubergines
VEG-1155 | White Button Mushrooms | マッシュルーム | 10 LB | CS | button mushrooms; champignons
VEG-1160 | Shiitake Mushrooms | しいたけ | 5 LB | CS | 椎茸
VEG-1165 | Enoki Mushrooms | えのき | 20/7 OZ | CS | enokitake; えのき茸
VEG-1170 | King Oyster Mushrooms | エリンギ | 5 LB | CS | king trumpet mushrooms
VEG-1175 | Daikon Radish | 大根 | 40 LB | CS | daikon; mooli
VEG-1180 | Peeled Garlic | むきにんにく | 4/5 LB | CS | garlic cloves; にんにく; 大蒜
VEG-1185 | Fresh Ginger | しょうが | 30 LB | CS | ginger root; 生姜
VEG-1190 | Cilantro | パクチー | 30 CT | CS | coriander leaves; 香菜; コリアンダーリーフ
VEG-1195 | Italian Parsley | イタリアンパセリ | 30 CT | CS | flat parsley; flat leaf parsley
VEG-1200 | Fresh Basil | バジル | 1 LB | Ea | basil leaves; スイートバジル
VEG-1205 | Shiso Leaves | 大葉 | 10/10 CT | Ea | perilla; 青じそ; しそ
VEG-1210 | Bean Sprouts | もやし | 10 LB | CS | mung bean sprouts; 豆もやし
VEG-1215 | Standard Asparagus | アスパラガス | 11 LB | CS | asparagus; アスパラ
VEG-1220 | Kabocha Squash | かぼちゃ | 35 LB | CS | 南瓜; japanese pumpkin
VEG-1225 | Sweet Corn | とうもろこし | 48 CT | CS | corn on the cob; コーン生
FRT-2010 | Lemons 140 CT | レモン | 40 LB | CS | lemons; 檸檬
FRT-2015 | Limes 200 CT | ライム | 40 LB | CS | limes; persian limes
FRT-2020 | Navel Oranges 88 CT | オレンジ | 40 LB | CS | oranges; ネーブルオレンジ
FRT-2025 | Hass Avocados 48 CT | アボカド | 25 LB | CS | avocados; avos; アボガド
FRT-2030 | Fuji Apples 80 CT | ふじりんご | 40 LB | CS | fuji apples; りんご; 林檎
FRT-2035 | Granny Smith Apples 88 CT | 青りんご | 40 LB | CS | green apples; granny smith
FRT-2040 | Bananas | バナナ | 40 LB | CS | yellow bananas
FRT-2045 | Strawberries | いちご | 8/1 LB | CS | fresh strawberries; 苺; ストロベリー
FRT-2050 | Blueberries | ブルーベリー | 12/6 OZ | CS | fresh blueberries
FRT-2055 | Raspberries | ラズベリー | 12/6 OZ | CS | fresh raspberries; 木苺
FRT-2060 | Golden Pineapple | パイナップル | 7 CT | CS | pineapples; パイン
FRT-2065 | Ataulfo Mangoes | マンゴー | 18 CT | CS | honey mangoes
FRT-2070 | Red Seedless Grapes | 赤ぶどう | 18 LB | CS | red grapes; 葡萄
FRT-2075 | Seedless Watermelon | すいか | 4 CT | CS | watermelons; 西瓜
FRT-2080 | Cantaloupe Melon | カンタロープメロン | 9 CT | CS | cantaloupes; 赤肉メロン
FRT-2085 | Yuzu Citrus | 柚子 | 5 LB | CS | fresh yuzu; ゆず
FRT-2090 | Green Kiwifruit | キウイ | 39 CT | CS | kiwis; キウイフルーツ
`;
