/// The numbers of the types that every PostgreSQL has.
public enum PostgresType {
  /// `bool`.
  public static let bool: UInt32 = 16
  /// `bytea`.
  public static let bytea: UInt32 = 17
  /// `"char"`, of one byte.
  public static let char: UInt32 = 18
  /// `name`.
  public static let name: UInt32 = 19
  /// `int8`.
  public static let int8: UInt32 = 20
  /// `int2`.
  public static let int2: UInt32 = 21
  /// `int4`.
  public static let int4: UInt32 = 23
  /// `text`.
  public static let text: UInt32 = 25
  /// `oid`.
  public static let oid: UInt32 = 26
  /// `json`.
  public static let json: UInt32 = 114
  /// `xml`.
  public static let xml: UInt32 = 142
  /// `float4`.
  public static let float4: UInt32 = 700
  /// `float8`.
  public static let float8: UInt32 = 701
  /// `unknown`.
  public static let unknown: UInt32 = 705
  /// `money`.
  public static let money: UInt32 = 790
  /// `bpchar`.
  public static let bpchar: UInt32 = 1042
  /// `varchar`.
  public static let varchar: UInt32 = 1043
  /// `date`.
  public static let date: UInt32 = 1082
  /// `time`.
  public static let time: UInt32 = 1083
  /// `timestamp`.
  public static let timestamp: UInt32 = 1114
  /// `timestamptz`.
  public static let timestamptz: UInt32 = 1184
  /// `interval`.
  public static let interval: UInt32 = 1186
  /// `timetz`.
  public static let timetz: UInt32 = 1266
  /// `numeric`.
  public static let numeric: UInt32 = 1700
  /// `uuid`.
  public static let uuid: UInt32 = 2950
  /// `jsonb`.
  public static let jsonb: UInt32 = 3802

  /// `bool[]`.
  public static let boolArray: UInt32 = 1000
  /// `bytea[]`.
  public static let byteaArray: UInt32 = 1001
  /// `int2[]`.
  public static let int2Array: UInt32 = 1005
  /// `int4[]`.
  public static let int4Array: UInt32 = 1007
  /// `text[]`.
  public static let textArray: UInt32 = 1009
  /// `int8[]`.
  public static let int8Array: UInt32 = 1016
  /// `float8[]`.
  public static let float8Array: UInt32 = 1022
  /// `timestamp[]`.
  public static let timestampArray: UInt32 = 1115
  /// `timestamptz[]`.
  public static let timestamptzArray: UInt32 = 1185
  /// `numeric[]`.
  public static let numericArray: UInt32 = 1231
  /// `uuid[]`.
  public static let uuidArray: UInt32 = 2951
  /// `date[]`.
  public static let dateArray: UInt32 = 1182
}
