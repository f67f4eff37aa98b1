/** Account number | name | Japanese name | e-mail address. */
export const CUSTOMERS = `
4001 | Harbor Grill | ハーバーグリル | orders@harborgrill.example
4002 | Bluebird Cafe | ブルーバードカフェ | kitchen@bluebirdcafe.example
4003 | Sakura Dining | さくらダイニング | order@sakura-dining.example
4004 | Izakaya Tanuki | 居酒屋たぬき | tanuki@izakaya-tanuki.example
4005 | Trattoria Luna | トラットリア・ルーナ | luna@trattorialuna.example
4006 | Northside Elementary School Kitchen | ノースサイド小学校給食室 | kitchen@northside-school.example
4007 | Hotel Meridian Banquet | ホテルメリディアン宴会部 | banquet@hotelmeridian.example
4008 | Ramen Kaze | らーめん風 | info@ramenkaze.example
4009 | Green Fork Salads | グリーンフォークサラダ | purchasing@greenfork.example
4010 | Old Mill Steakhouse | オールドミルステーキハウス | chef@oldmillsteakhouse.example
4011 | Sushi Hanamizuki | 鮨 花水木 | hanamizuki@sushi-hanamizuki.example
4012 | Casa Mariposa | カサ・マリポサ | cocina@casamariposa.example
4013 | Kissa Mocha | 喫茶モカ | mocha@kissamocha.example
`;
