/** Japanese groceries, frozen, bakery, drinks, supplies: item number | name | Japanese name | pack size | unit | aliases. */
export const SPECIALTIES_AND_SUPPLIES = `
JPN-9010 | Roasted Nori Half Cut Gold | 焼き海苔 半切 | 10/100 CT | CS | nori; sushi nori; 海苔
JPN-9015 | Dried Kombu | 昆布 | 2.2 LB | Ea | kelp; こんぶ; だし昆布
JPN-9020 | Bonito Flakes Hanakatsuo | 花かつお | 10/1 LB | CS | bonito flakes; katsuobushi; かつお節; 鰹節
JPN-9025 | Hondashi Soup Stock Powder | ほんだし | 12/2.2 LB | CS | dashi powder; だしの素; 和風だし
JPN-9030 | Firm Tofu | 木綿豆腐 | 12/14 OZ | CS | momen tofu; もめん豆腐
JPN-9035 | Silken Tofu | 絹ごし豆腐 | 12/14 OZ | CS | kinu tofu; soft tofu; 絹豆腐
JPN-9040 | Fried Tofu Pouches Inari | いなり揚げ | 12/60 CT | CS | inari; 油揚げ; aburaage
JPN-9045 | Natto Fermented Soybeans | 納豆 | 30/3 CT | CS | natto; なっとう
JPN-9050 | Pickled Sushi Ginger | ガリ | 10/3.3 LB | CS | sushi ginger; 甘酢生姜
JPN-9055 | Umeboshi Pickled Plums | 梅干し | 12/1 KG | CS | umeboshi; ume
JPN-9060 | Cut Wakame Seaweed | カットわかめ | 20/1 LB | CS | wakame; 若布
JPN-9065 | Gyoza Wrappers | 餃子の皮 | 24/10 OZ | CS | potsticker skins; gyoza skins; ぎょうざの皮
JPN-9070 | Tempura Batter Mix | 天ぷら粉 | 55 LB | Ea | tempura flour; tempura mix; てんぷら粉
FRZ-9210 | French Fries 3/8 Straight Cut | フライドポテト | 6/5 LB | CS | fries; ff 3/8; ポテトフライ; 冷凍ポテト
FRZ-9215 | Edamame in Pod | 枝豆 | 20/1 LB | CS | edamame; soybeans in pod
FRZ-9220 | Pork Gyoza Dumplings | 冷凍餃子 | 8/30 CT | CS | gyoza; potstickers; ぎょうざ
FRZ-9225 | Vegetable Spring Rolls | 野菜春巻き | 4/50 CT | CS | spring rolls; veg egg rolls; 春巻
FRZ-9230 | Green Peas IQF | グリーンピース | 12/2.5 LB | CS | frozen peas; peas
FRZ-9235 | Mixed Vegetables IQF | ミックスベジタブル | 12/2.5 LB | CS | mixed veg; frozen veg mix
FRZ-9240 | Puff Pastry Sheets 10x15 | パイシート | 20/12 OZ | CS | puff pastry; pastry sheets; 冷凍パイ生地
FRZ-9245 | Vanilla Bean Ice Cream | バニラアイス | 3 GAL | Ea | vanilla ice cream; バニラアイスクリーム
FRZ-9250 | Matcha Ice Cream | 抹茶アイス | 3 GAL | Ea | green tea ice cream; 抹茶アイスクリーム
BAK-9310 | Brioche Burger Buns 4 IN | ブリオッシュバンズ | 8/12 CT | CS | brioche buns; burger buns; バンズ
BAK-9315 | Sourdough Loaf Sliced | サワードウブレッド | 8/2 LB | CS | sourdough; sour dough bread
BAK-9320 | Parker House Dinner Rolls | ディナーロール | 10/24 CT | CS | dinner rolls; バターロール
BAK-9325 | Butter Croissants Bake-Off | クロワッサン | 96/3 OZ | CS | croissants; all butter croissant
BAK-9330 | Flour Tortillas 10 IN | フラワートルティーヤ | 12/12 CT | CS | flour tortillas; burrito shells
BAK-9335 | White Corn Tortillas 6 IN | コーントルティーヤ | 6/60 CT | CS | corn tortillas; taco shells soft
BAK-9340 | Milk Bread Shokupan | 食パン | 6/3 LB | CS | shokupan; pullman loaf; 角食パン
BEV-9410 | Sparkling Mineral Water | 炭酸水 | 24/500 ML | CS | sparkling water; club soda; スパークリングウォーター
BEV-9415 | Cola Bag in Box | コーラ BIB | 5 GAL | Ea | cola syrup; bib cola; コーラ
BEV-9420 | Ginger Ale Cans | ジンジャーエール | 24/12 OZ | CS | ginger ale; dry ginger
BEV-9425 | Unsweetened Green Tea | 緑茶 ペットボトル | 24/500 ML | CS | bottled green tea; お茶; 緑茶
BEV-9430 | Oolong Tea Bottles | ウーロン茶 | 24/500 ML | CS | oolong tea; 烏龍茶
BEV-9435 | Espresso Beans Dark Roast | エスプレッソ豆 | 6/5 LB | CS | espresso; coffee beans; コーヒー豆
BEV-9440 | Fresh Orange Juice | オレンジジュース | 8/59 OZ | CS | oj; orange juice; オレンジ果汁
BEV-9445 | Cranberry Juice Cocktail | クランベリージュース | 8/64 OZ | CS | cranberry juice; cran juice
BEV-9450 | Culinary Matcha Powder | 抹茶パウダー | 10/1 LB | CS | matcha; 抹茶
BEV-9455 | English Breakfast Tea Bags | 紅茶ティーバッグ | 6/100 CT | CS | black tea; tea bags; 紅茶
SUP-9710 | Nitrile Gloves Medium | ニトリル手袋 M | 10/100 CT | CS | gloves medium; gloves med; 手袋 M
SUP-9715 | Nitrile Gloves Large | ニトリル手袋 L | 10/100 CT | CS | gloves large; gloves lg; 手袋 L
SUP-9720 | Aluminum Foil Roll 18 IN | アルミホイル | 500 FT | Ea | foil; tin foil; アルミ箔
SUP-9725 | Film Wrap 18 IN | ラップ 45cm | 2000 FT | Ea | plastic wrap; cling film; saran; 業務用ラップ
SUP-9730 | Hinged Takeout Containers 9x9 | フードパック 9x9 | 200 CT | CS | clamshells 9x9; to go boxes; 持ち帰り容器
SUP-9735 | Soup Cups 16 OZ with Lids | スープカップ 蓋付 | 250 CT | CS | soup containers; 16oz soup cups
SUP-9740 | Bamboo Chopsticks Wrapped | 割り箸 | 3000 CT | CS | chopsticks; 竹箸; わりばし
SUP-9745 | Bamboo Skewers 6 IN | 竹串 | 24/100 CT | CS | skewers; 焼き鳥串; bbq sticks
SUP-9750 | Dinner Napkins 2-Ply White | 紙ナプキン | 3000 CT | CS | napkins; paper napkins; ナプキン
SUP-9755 | Wet Towels Oshibori | おしぼり | 1000 CT | CS | wet naps; 紙おしぼり
SUP-9760 | Cold Cups 12 OZ PET | プラカップ 12オンス | 1000 CT | CS | plastic cups; 12oz cold cups; プラスチックカップ
SUP-9765 | Paper Straws Wrapped | 紙ストロー | 12/300 CT | CS | straws; ストロー
SUP-9770 | Trash Can Liners 55 GAL | ゴミ袋 | 100 CT | CS | trash bags; can liners; garbage bags; ごみ袋大
SUP-9775 | Pot and Pan Detergent | 食器用洗剤 | 4/1 GAL | CS | dish soap; dish detergent; 中性洗剤
SUP-9780 | Quat Sanitizer | 除菌剤 | 4/1 GAL | CS | sanitizer; sani; 消毒液
`;
