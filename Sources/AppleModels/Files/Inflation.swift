internal import CZlib

/// Unpacks raw DEFLATE, as stores keep their model; no more than a bound of it.
enum Inflation {
  /// The largest model that is unpacked, in bytes; the largest known has some 60,000.
  static let limit = 64 << 20

  /// The inflated bytes of `packed`; nil if it is cut off or damaged, or would grow beyond the limit.
  static func inflate(_ packed: [UInt8]) -> [UInt8]? {
    guard let room = UInt32(exactly: packed.count) else { return nil }
    var stream = z_stream()
    // Minus 15: no header, the largest window.
    guard inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var unpacked: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var packed = packed
    let status = packed.withUnsafeMutableBufferPointer { input -> Int32 in
      stream.next_in = input.baseAddress
      stream.avail_in = room
      while true {
        let status = chunk.withUnsafeMutableBufferPointer { output -> Int32 in
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(clamping: output.count)
          return CZlib.inflate(&stream, Z_NO_FLUSH)
        }
        unpacked += chunk.dropLast(Int(stream.avail_out))
        guard status == Z_OK, unpacked.count <= limit else { return status }
      }
    }
    return status == Z_STREAM_END && unpacked.count <= limit ? unpacked : nil
  }
}
