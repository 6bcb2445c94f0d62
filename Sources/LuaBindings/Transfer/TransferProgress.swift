/// The progress of reading or writing a file.
public struct TransferProgress: Sendable {
  /// The current work: `import cities.csv`.
  public var label: String
  /// The number of rows so far.
  public var rows: Int
  /// The number of bytes so far.
  public var bytes: Int
  /// The total number of bytes, if known.
  public var totalBytes: Int?
  /// The total number of rows, if known instead of the bytes.
  public var totalRows: Int?
  /// Whether the work is finished.
  public var isFinished = false
}
