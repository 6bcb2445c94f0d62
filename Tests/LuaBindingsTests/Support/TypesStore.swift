import Foundation
import TestSupport

/// A Core Data store with a value of each attribute type, without a copy of its model and without hashes of it.
///
/// `script` is a chunk that opens it: two Things, `a` with all values and `b` with few, of one Owner, which has no attributes.
final class TypesStore {
  private let folder = TemporaryFolder.ofThisRun.appendingPathComponent("perilune-\(UUID().uuidString)")
  var path: String { folder.path + "/Types.sqlite" }
  /// How the attribute `tags` is declared.
  var transformer = "Transformable"

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = [path, try Self.sql()]
    try process.run()
    process.waitUntilExit()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The names of the attributes whose values compare as a whole.
  static let attributes = [
    "short", "whole", "long", "flag", "when", "real", "single", "cost", "code", "site", "uuid", "raw", "photo", "tags",
  ]

  /// Opens the store, with each entity as a global; writable unless `readOnly`.
  func script(readOnly: Bool = true) -> String {
    """
    store = open("\(path)", { readOnly = \(readOnly), model = Model {
      Owner = Entity { things = ToMany "Thing" { inverse = "owner" } },
      Thing = Entity {
        short = Integer16, whole = Integer32, long = Int, flag = Bool, when = Date, real = Double, single = Float,
        cost = Decimal, code = String { unique = true }, site = URL, uuid = UUID, raw = Data,
        photo = Data { externalBinaryData = true }, tags = \(transformer),
        place = Composite { elements = { amount = Double, identifier = UUID, since = Date, bytes = Data } },
        owner = ToOne "Owner" { inverse = "things" },
      },
    } })
    use(store)
    """
  }

  /// Opens a fresh script on the store.
  func open(readOnly: Bool = true) throws -> Script {
    let script = try Script()
    script.keeps.append(self)
    try script.run(self.script(readOnly: readOnly))
    return script
  }

  private static func sql() throws -> String {
    let list: [String: Any] = ["NSStoreType": "SQLite", "NSPersistenceFrameworkVersion": 1414]
    let metadata = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    return """
      CREATE TABLE ZTHING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSHORT INTEGER, ZWHOLE INTEGER,
        ZLONG INTEGER, ZFLAG INTEGER, ZOWNER INTEGER, ZWHEN TIMESTAMP, ZREAL FLOAT, ZSINGLE FLOAT, ZCOST DECIMAL,
        ZCODE VARCHAR, ZSITE VARCHAR, ZUUID BLOB, ZRAW BLOB, ZPHOTO BLOB, ZTAGS BLOB, ZAMOUNT FLOAT, ZIDENTIFIER BLOB,
        ZSINCE TIMESTAMP, ZBYTES BLOB);
      CREATE TABLE ZOWNER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
      CREATE INDEX ZTHING_ZOWNER_INDEX ON ZTHING (ZOWNER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      INSERT INTO Z_METADATA VALUES (1, 'C0FFEE00-0000-4000-8000-000000000001',
        X'\(metadata.map { String(format: "%02X", $0) }.joined())');
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Owner', 0, 1), (2, 'Thing', 0, 2);
      INSERT INTO ZOWNER VALUES (1, 1, 1);
      INSERT INTO ZTHING VALUES (1, 2, 1, 3, 70000, 5000000000, 1, 1, 700000000.25, 10.5, 0.1, 19.99, 'a',
        'https://a.b/c', X'00112233445566778899AABBCCDDEEFF', X'616263', X'01616263', CAST('xyz' AS BLOB), 2.5,
        X'00112233445566778899AABBCCDDEE00', 600000000, X'6465');
      INSERT INTO ZTHING VALUES (2, 2, 1, 4, 1, 2, 0, 1, 700000001, 1, 2, 3, 'b', 'https://b',
        X'FF112233445566778899AABBCCDDEEFF', X'FF00', X'01FF', X'FE', NULL, NULL, NULL, NULL);
      """
  }
}
