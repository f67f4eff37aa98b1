/** Dairy, dry goods, sauces and spices: item number | name | Japanese name | pack size | unit | aliases. */
export const PANTRY = `
DAI-6010 | Large Eggs Grade A | 卵 L | 15 DZ | CS | eggs; shell eggs; たまご; 鶏卵
DAI-6015 | Liquid Whole Eggs | 液卵 | 15/2 LB | CS | liquid eggs; 全卵液
DAI-6020 | Whole Milk | 牛乳 | 4/1 GAL | CS | milk; vitamin d milk; 成分無調整牛乳
DAI-6025 | Reduced Fat Milk 2% | 低脂肪牛乳 | 4/1 GAL | CS | two percent milk; low fat milk
DAI-6030 | Heavy Cream 36% | 生クリーム | 12/1 QT | CS | whipping cream; heavy whipping cream; 生クリーム36
DAI-6035 | Half and Half | コーヒークリーム | 12/1 QT | CS | h&h; coffee cream
DAI-6040 | Unsalted Butter | 無塩バター | 36/1 LB | CS | sweet butter; butter unsalted solids; 食塩不使用バター
DAI-6045 | Salted Butter | 有塩バター | 36/1 LB | CS | butter salted solids; 加塩バター
DAI-6050 | Sour Cream | サワークリーム | 4/5 LB | CS | cultured cream
DAI-6055 | Plain Greek Yogurt | ギリシャヨーグルト | 6/32 OZ | CS | greek yogurt; プレーンヨーグルト
DAI-6060 | Cream Cheese Loaf | クリームチーズ | 6/3 LB | CS | cream cheese
DAI-6065 | Shredded Mozzarella Part Skim | シュレッドモッツァレラ | 6/5 LB | CS | shredded mozz; pizza cheese; ピザ用チーズ
DAI-6070 | Fresh Mozzarella Ovoline | フレッシュモッツァレラ | 2/3 LB | CS | fresh mozz; モッツァレラ
DAI-6075 | Sliced Cheddar Cheese | チェダースライス | 6/1.5 LB | CS | cheddar slices; チェダーチーズ
DAI-6080 | Grated Parmesan Cheese | 粉チーズ | 4/5 LB | CS | grated parm; パルメザン粉
DAI-6085 | Parmigiano Reggiano Wedge | パルミジャーノ | 10 LB AVG | Lbs | parm wedge; parmigiano; reggiano
DAI-6090 | Feta Cheese Crumbles | フェタチーズ | 2/5 LB | CS | feta; crumbled feta
DAI-6095 | Goat Cheese Log | シェーブルチーズ | 12/11 OZ | CS | chevre; ヤギチーズ
DAI-6100 | Mascarpone | マスカルポーネ | 6/17.6 OZ | CS | mascarpone cheese
DAI-6105 | Barista Oat Milk | オーツミルク | 12/32 OZ | CS | oat milk; oatmilk
DRY-7010 | Koshihikari Rice | コシヒカリ | 50 LB | Ea | sushi rice; short grain rice; お米; 白米
DRY-7015 | Jasmine Rice | ジャスミンライス | 50 LB | Ea | thai rice; タイ米
DRY-7020 | Basmati Rice | バスマティライス | 20 LB | Ea | basmati; indian rice
DRY-7025 | All Purpose Flour | 中力粉 | 50 LB | Ea | ap flour; a.p. flour; plain flour; 小麦粉
DRY-7030 | Bread Flour High Gluten | 強力粉 | 50 LB | Ea | high gluten flour; bread flour; pizza flour
DRY-7035 | Cake Flour | 薄力粉 | 50 LB | Ea | pastry flour; soft flour
DRY-7040 | Granulated Sugar | グラニュー糖 | 50 LB | Ea | white sugar; gran sugar; sugar; 砂糖
DRY-7045 | Light Brown Sugar | ブラウンシュガー | 24/1 LB | CS | brown sugar; 三温糖
DRY-7050 | Powdered Sugar 10X | 粉糖 | 12/2 LB | CS | confectioners sugar; icing sugar; パウダーシュガー
DRY-7055 | Spaghetti Pasta | スパゲッティ | 2/10 LB | CS | spaghetti; spag
DRY-7060 | Penne Rigate Pasta | ペンネ | 2/10 LB | CS | ペンネリガーテ
DRY-7065 | Linguine Pasta | リングイネ | 2/10 LB | CS | linguine
DRY-7070 | Dried Soba Noodles | 乾そば | 20/28 OZ | CS | buckwheat noodles; soba; 蕎麦
DRY-7075 | Frozen Udon Noodles | 冷凍うどん | 8/5 CT | CS | udon; sanuki udon
DRY-7080 | Fresh Ramen Noodles | 生ラーメン麺 | 40/5 OZ | CS | ramen noodles; ramen; 中華麺
DRY-7085 | Panko Bread Crumbs | パン粉 | 25 LB | CS | panko; japanese breadcrumbs
DRY-7090 | Canned Chickpeas | ひよこ豆缶 | 6/#10 CAN | CS | garbanzo beans; chick peas; ガルバンゾ
DRY-7095 | Canned Black Beans | 黒いんげん豆缶 | 6/#10 CAN | CS | black beans; frijoles negros
DRY-7100 | Crushed Tomatoes in Puree | クラッシュトマト缶 | 6/#10 CAN | CS | crushed tomatoes; crushed toms
DRY-7105 | Whole Peeled Tomatoes San Marzano | ホールトマト缶 | 6/#10 CAN | CS | san marzano tomatoes; whole peeled toms; ホールトマト
DRY-7110 | Tomato Paste | トマトペースト | 6/#10 CAN | CS | tom paste
DRY-7115 | Coconut Milk | ココナッツミルク | 24/13.5 OZ | CS | coco milk
DRY-7120 | Chicken Base Low Sodium | チキンベース | 12/1 LB | CS | chicken bouillon; chx base; 鶏がらスープの素
DRY-7125 | Kosher Salt Coarse | コーシャーソルト | 12/3 LB | CS | kosher salt; coarse salt; 粗塩
DRY-7130 | Baking Powder Double Acting | ベーキングパウダー | 6/5 LB | CS | baking pwdr; ふくらし粉
DRY-7135 | Active Dry Yeast | ドライイースト | 20/1 LB | CS | dry yeast; yeast; イースト
DRY-7140 | Potato Starch Katakuriko | 片栗粉 | 50 LB | Ea | katakuriko; potato starch; かたくり粉
DRY-7145 | Semisweet Chocolate Chips | チョコチップ | 25 LB | CS | choc chips; chocolate chips
DRY-7150 | Clover Honey | はちみつ | 6/5 LB | CS | honey; 蜂蜜; ハニー
DRY-7155 | Pure Maple Syrup Grade A | メープルシロップ | 4/1 GAL | CS | maple syrup; メイプルシロップ
SAU-8010 | Extra Virgin Olive Oil | エクストラバージンオリーブオイル | 4/1 GAL | CS | evoo; ex virgin olive oil; オリーブオイル; オリーブ油
SAU-8015 | Canola Fry Oil | キャノーラ油 | 35 LB | Ea | canola oil; fryer oil; jib oil; 揚げ油; サラダ油
SAU-8020 | Toasted Sesame Oil | ごま油 | 6/56 OZ | CS | sesame oil; 胡麻油
SAU-8025 | Soy Sauce Koikuchi | 濃口しょうゆ | 6/0.5 GAL | CS | soy sauce; shoyu; しょうゆ; しょう油; 醤油
SAU-8030 | Tamari Gluten Free Soy Sauce | たまりしょうゆ | 6/0.5 GAL | CS | gluten free soy; gf soy; tamari; たまり醤油
SAU-8035 | Hon Mirin | 本みりん | 6/1.8 L | CS | mirin; 味醂
SAU-8040 | Cooking Sake | 料理酒 | 6/1.8 L | CS | ryorishu; sake for cooking
SAU-8045 | Rice Vinegar | 米酢 | 4/1 GAL | CS | rice wine vinegar; お酢
SAU-8050 | Balsamic Vinegar of Modena | バルサミコ酢 | 2/5 L | CS | balsamic; バルサミコ
SAU-8055 | Heavy Duty Mayonnaise | 業務用マヨネーズ | 4/1 GAL | CS | mayo; hd mayo; mayonnaise
SAU-8060 | Japanese Mayonnaise | マヨネーズ | 10/1 KG | CS | kewpie; japanese mayo; 卵黄マヨネーズ
SAU-8065 | Tomato Ketchup Bottles | ケチャップ | 30/14 OZ | CS | ketchup; catsup; トマトケチャップ
SAU-8070 | Dijon Mustard | ディジョンマスタード | 6/8.5 LB | CS | dijon; 粒なしマスタード
SAU-8075 | Yellow Mustard Packets | マスタード小袋 | 500 CT | CS | mustard pc; yellow mustard
SAU-8080 | Sriracha Chili Sauce | シラチャーソース | 12/17 OZ | CS | sriracha; rooster sauce
SAU-8085 | Worcestershire Sauce | ウスターソース | 4/1 GAL | CS | worcester sauce; lea and perrins
SAU-8090 | Oyster Flavored Sauce | オイスターソース | 6/5 LB | CS | oyster sauce; かき油
SAU-8095 | Premium Fish Sauce | ナンプラー | 12/23 OZ | CS | fish sauce; nam pla; nuoc mam; 魚醤
SAU-8100 | Tonkatsu Sauce | とんかつソース | 6/64 OZ | CS | katsu sauce; 中濃ソース
SAU-8105 | Ponzu Citrus Soy | ポン酢 | 6/0.5 GAL | CS | ponzu; ポン酢しょうゆ
SAU-8110 | White Miso Paste | 白みそ | 10/2.2 LB | CS | shiro miso; white miso; 白味噌
SAU-8115 | Red Miso Paste | 赤みそ | 10/2.2 LB | CS | aka miso; red miso; 赤味噌
SPC-8510 | Ground Black Pepper | 黒こしょう | 5 LB | Ea | black pepper; blk pepper; ブラックペッパー; 黒胡椒
SPC-8515 | Smoked Paprika | 燻製パプリカパウダー | 5 LB | Ea | pimenton; スモークパプリカ
SPC-8520 | Ground Cumin | クミンパウダー | 4.5 LB | Ea | cumin; クミン
SPC-8525 | Ground Cinnamon | シナモンパウダー | 5 LB | Ea | cinnamon; シナモン; 肉桂
SPC-8530 | Dried Oregano Leaves | オレガノ | 1.5 LB | Ea | oregano flakes; dry oregano
SPC-8535 | Whole Bay Leaves | ローリエ | 10 OZ | Ea | bay leaf; laurel; 月桂樹
SPC-8540 | Granulated Garlic | ガーリックパウダー | 6 LB | Ea | garlic powder; gran garlic
SPC-8545 | Crushed Red Pepper Flakes | 唐辛子フレーク | 3.5 LB | Ea | chili flakes; red pepper flakes
SPC-8550 | Madras Curry Powder | カレー粉 | 5 LB | Ea | curry powder; カレーパウダー
SPC-8555 | Shichimi Togarashi | 七味唐辛子 | 12/300 G | CS | seven spice; 七味; しちみ
SPC-8560 | Wasabi Powder | 粉わさび | 10/2.2 LB | CS | wasabi; 山葵
SPC-8565 | White Sesame Seeds | 白ごま | 10/2.2 LB | CS | sesame seeds; いりごま; 白胡麻
`;
