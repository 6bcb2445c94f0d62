import Foundation

/// When a store reads a table by several connections at once.
package struct Parallelism {
  /// How many connections read; with one or none, the store's own reads alone.
  package var workers = Self.processors
  /// A smaller file is read by the store's own connection, without a look at its tables.
  package var leastBytes: Int64 = 4 << 20
  /// In a larger file, an index that has all that is wanted is read by one connection rather than the table by several.
  package var mostUncoveredBytes: Int64 = 1 << 30
  /// From this many keys on, counted from the least to the greatest, a table is worth the opening of connections.
  package var leastKeys: UInt64 = 100_000
  /// The keys that a range has at least.
  package var leastRange = 1000
  /// Into how many ranges for each worker the keys are split, so that all end at nearly the same time.
  static let rangesEach = 8

  private static let processors = min(ProcessInfo.processInfo.activeProcessorCount, 8)
}
