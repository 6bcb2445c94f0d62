public import Modeling

/// A running SELECT of one entity's rows: keys, concrete entities and column values of the row it stands on.
///
/// Columns are numbered as in the `EntityLayout` of the row's own entity. Text and blobs are valid until the next step.
public final class RowCursor {
  /// Moves to the next row; false after the last, when the statement has been reset and its locks are gone.
  ///
  /// - Throws: StoreError.
  public func step() throws -> Bool { fatalError("unimplemented") }

  /// Ends the statement; harmless when done twice.
  public func close() {}

  /// Whether the values of the row's columns were selected, or only its key.
  public var hasValues: Bool { fatalError("unimplemented") }

  public var key: Int64 { fatalError("unimplemented") }

  /// The row's own entity: the fetched one or a descendant.
  public var entity: Entity { fatalError("unimplemented") }

  public func storageClass(_ column: Int) -> StorageClass { fatalError("unimplemented") }
  public func integer(_ column: Int) -> Int64 { fatalError("unimplemented") }
  public func real(_ column: Int) -> Double { fatalError("unimplemented") }
  public func bytes(_ column: Int) -> UnsafeRawBufferPointer { fatalError("unimplemented") }

  /// Copies the row's columns into a block of their own.
  public func pack() -> PackedRow { fatalError("unimplemented") }
}
