internal import StoreErrors

/// Arguments as libpq takes them: arrays of types, addresses, lengths and forms.
struct BoundArguments {
  private(set) var types: [UInt32] = []
  private var lengths: [Int32] = []
  private var formats: [Int32] = []
  /// Where each begins in the bytes; nil for NULL.
  private var offsets: [Int?] = []
  private var writer = BinaryWriter()

  init(_ arguments: [PostgresArgument]) throws(StoreError) {
    // An empty value needs an address, too: a null pointer would mean NULL.
    writer.append(0 as UInt8)
    for argument in arguments {
      types.append(argument.typeOID)
      if argument == .null {
        offsets.append(nil)
        lengths.append(0)
        formats.append(1)
        continue
      }
      let start = writer.bytes.count
      offsets.append(start)
      try writer.append(argument)
      let count = writer.bytes.count - start
      guard let short = Int32(exactly: count) else { throw StoreError(.valueTooLarge(bytes: count)) }
      lengths.append(short)
      if case .untyped = argument {
        formats.append(0)
        // Text ends with NUL.
        writer.append(0 as UInt8)
      } else {
        formats.append(1)
      }
    }
  }

  /// Whether a statement that was prepared for `types` takes these: NULL is of any type.
  func fit(_ types: [UInt32]) -> Bool {
    types.count == self.types.count
      && offsets.indices.allSatisfy { offsets[$0] == nil || types[$0] == self.types[$0] }
  }

  /// Calls `body` with count, types, values, lengths and formats.
  func with<Result>(
    _ body: (
      Int32, UnsafePointer<UInt32>?, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Result
  ) -> Result {
    writer.bytes.withUnsafeBytes { bytes in
      let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      let values = offsets.map { offset in offset.flatMap { base?.advanced(by: $0) } }
      return body(Int32(clamping: types.count), types, values, lengths, formats)
    }
  }
}
