import Foundation
import StorageTestSupport
import TestSupport

@testable import SQLiteStorage

/// A table that several connections read in the tests of parallel scans: gaps among the keys, nil, and values of each type.
enum ParallelRows {
  /// Three workers from the first key on, in ranges of at least two hundred keys.
  static var parallelism: Parallelism {
    var parallelism = Parallelism()
    (parallelism.workers, parallelism.leastBytes) = (3, 0)
    (parallelism.leastKeys, parallelism.leastRange) = (1, 200)
    return parallelism
  }

  /// A file with the table.
  static func file(in folder: TemporaryFolder) throws -> String { try folder.write("store.sqlite", bytes.get()) }

  /// Made once for all tests.
  private static let bytes = Result {
    let folder = try TemporaryFolder()
    return try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.database("store.sqlite", sql))))
  }

  /// What makes the table, as another program would.
  static let sql = """
    CREATE TABLE item (
      id INTEGER PRIMARY KEY, n INTEGER, real REAL, word TEXT, flag BOOLEAN, amount DECIMAL(20, 4), "when" DATETIME, day TEXT,
      raw BLOB, mixed, indexed INTEGER, large INTEGER, owner INTEGER REFERENCES item (id));
    CREATE INDEX item_indexed ON item (indexed, n);
    CREATE INDEX item_large ON item (large);
    CREATE INDEX item_owner ON item (owner);
    WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 3000)
    INSERT INTO item SELECT
      i, CASE WHEN i % 11 = 0 THEN NULL ELSE i * 7919 % 13 END,
      CASE WHEN i % 17 = 0 THEN NULL WHEN i % 500 = 0 THEN 1e300 WHEN i % 501 = 0 THEN -1e300 ELSE i * 0.1 END,
      CASE WHEN i % 19 = 0 THEN NULL ELSE substr('apple berry zebra Äpfel xylo', 1 + i * 31 % 24, 1 + i % 5) END,
      i % 3 = 0, CASE WHEN i % 23 = 0 THEN NULL ELSE i % 97 || '.' || i % 9 END,
      date('2020-01-01', '+' || i % 400 || ' days'), date('2020-01-01', '+' || i % 37 || ' days'),
      CASE WHEN i % 5 = 0 THEN CAST(i AS BLOB) END,
      CASE i % 4 WHEN 0 THEN 5 WHEN 1 THEN 5.0 WHEN 2 THEN '5' END, i % 100, 9223372036854775807 - i % 300, i % 60 + 1
    FROM k;
    DELETE FROM item WHERE id BETWEEN 700 AND 1100;

    """
}
