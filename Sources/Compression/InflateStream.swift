internal import CZlib

/// Unpacks DEFLATE chunk by chunk, as it is in archives and in files of gzip.
///
///     let stream = InflateStream(.gzip) { read(descriptor, $0.baseAddress, $0.count) }
///     while let chunk = try stream.next() { … }
package final class InflateStream {
  /// What is around the packed bytes.
  package enum Form: Int32 {
    case raw = -15
    case gzip = 31
  }

  /// Reads packed bytes into a buffer; returns their number, 0 at the end.
  package typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

  private let form: Form
  private let source: Source
  /// It must not move, as zlib points back to it.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  private var hasEnded = false
  private var isInputOver = false

  /// Unpacks what `source` reads.
  package init(_ form: Form, _ source: @escaping Source) {
    (self.form, self.source) = (form, source)
    stream.initialize(to: z_stream())
    inflateInit2_(stream, form.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  /// The next bytes; nil at the end.
  ///
  /// - Throws: CompressionError; what the source throws.
  package func next() throws -> [UInt8]? {
    while !hasEnded {
      try fill()
      var chunk = [UInt8](repeating: 0, count: 1 << 18)
      let status = chunk.withUnsafeMutableBufferPointer { output in
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(clamping: output.count)
        return inflate(stream, Z_NO_FLUSH)
      }
      chunk.removeLast(Int(stream.pointee.avail_out))
      switch status {
      case Z_STREAM_END: try endMember()
      case Z_OK, Z_BUF_ERROR:
        if chunk.isEmpty, isInputOver, stream.pointee.avail_in == 0 { throw CompressionError.cutOff }
      default: throw CompressionError.damaged
      }
      if !chunk.isEmpty { return chunk }
    }
    return nil
  }

  /// What raw DEFLATE unpacks to; nil if it is damaged or cut off, or becomes more than `limit` bytes.
  package static func unpack(_ packed: [UInt8], limit: Int) -> [UInt8]? {
    var rest = packed[...]
    let stream = InflateStream(.raw) { buffer in
      let part = rest.prefix(buffer.count)
      buffer.copyBytes(from: part)
      rest = rest.dropFirst(part.count)
      return part.count
    }
    var unpacked: [UInt8] = []
    while unpacked.count <= limit {
      do {
        guard let chunk = try stream.next() else { return unpacked }
        unpacked += chunk
      } catch {
        return nil
      }
    }
    return nil
  }

  private func fill() throws {
    guard stream.pointee.avail_in == 0, !isInputOver else { return }
    let count = try source(input)
    isInputOver = count == 0
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(count)
  }

  /// Goes on with the next member of a file of gzip; anything else behind a member is padding.
  private func endMember() throws {
    hasEnded = true
    guard form == .gzip else { return }
    try fill()
    guard stream.pointee.avail_in > 0, stream.pointee.next_in.pointee == 0x1F else { return }
    hasEnded = inflateReset(stream) != Z_OK
  }
}
