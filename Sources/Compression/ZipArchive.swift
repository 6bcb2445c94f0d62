internal import CZlib
internal import Glibc

/// The files in a ZIP archive, read chunk by chunk.
package final class ZipArchive {
  private struct Entry {
    var method: Int
    var checksum: Int
    var packedSize: Int
    var offset: Int
  }

  /// The size of the archive in bytes.
  package let size: Int
  private let descriptor: Int32
  private let limit: ExpansionLimit
  private var entries: [String: Entry] = [:]
  private static let largestDirectory = 16 << 20
  /// The largest comment, behind the record that ends an archive.
  private static let longestTail = 65_535 + 22

  /// Opens the archive at `path` and reads its directory.
  ///
  /// - Throws: CompressionError.
  package init(path: String) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    let errorNumber = errno
    size = Int(lseek(descriptor, 0, SEEK_END))
    limit = ExpansionLimit(packed: size)
    guard descriptor >= 0 else { throw CompressionError.unreadable(errorNumber: errorNumber) }
    let tail = try bytes(max(0, size - Self.longestTail), min(size, Self.longestTail))
    guard tail.count >= 22,
      let end = (0...tail.count - 22).last(where: { Self.number(tail, $0, 4) == 0x0605_4B50 })
    else { throw try bytes(0, 4) == [0x50, 0x4B, 3, 4] ? CompressionError.cutOff : .noArchive }
    let count = Self.number(tail, end + 10, 2)
    let (length, start) = (Self.number(tail, end + 12, 4), Self.number(tail, end + 16, 4))
    guard start != 0xFFFF_FFFF, count != 0xFFFF else {
      throw CompressionError.unsupported("the form for more than 4 GB")
    }
    guard length <= Self.largestDirectory, start + length <= size else { throw CompressionError.damaged }
    try readDirectory(try bytes(start, length), count)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private func readDirectory(_ directory: [UInt8], _ count: Int) throws {
    var place = 0
    for _ in 0..<count {
      guard place + 46 <= directory.count, Self.number(directory, place, 4) == 0x0201_4B50 else {
        throw CompressionError.damaged
      }
      let lengths = [28, 30, 32].map { Self.number(directory, place + $0, 2) }
      let next = place + 46 + lengths.reduce(0, +)
      guard next <= directory.count else { throw CompressionError.damaged }
      let name = String(decoding: directory[(place + 46)..<(place + 46 + lengths[0])], as: UTF8.self)
      if Self.number(directory, place + 8, 2) & 1 != 0 { throw CompressionError.unsupported("encryption") }
      entries[name] = Entry(
        method: Self.number(directory, place + 10, 2), checksum: Self.number(directory, place + 16, 4),
        packedSize: Self.number(directory, place + 20, 4), offset: Self.number(directory, place + 42, 4))
      place = next
    }
  }

  /// Whether the archive has a file of the name.
  package func has(_ name: String) -> Bool { entries[name] != nil }

  /// A function that returns the next bytes of a file, nil at its end; nil if there is no such file.
  ///
  /// - Throws: CompressionError; the function throws it too, for damage that it meets and for a wrong checksum at the end.
  package func file(_ name: String) throws -> (() throws -> [UInt8]?)? {
    guard let entry = entries[name] else { return nil }
    let next = try unpacked(entry)
    var checksum = crc32(0, nil, 0)
    return { [limit] in
      guard let chunk = try next() else {
        if Int(checksum) != entry.checksum { throw CompressionError.damaged }
        return nil
      }
      try limit.count(chunk.count)
      checksum = crc32(checksum, chunk, UInt32(clamping: chunk.count))
      return chunk
    }
  }

  private func unpacked(_ entry: Entry) throws -> () throws -> [UInt8]? {
    let read = try packed(entry)
    switch entry.method {
    case 0:
      return {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = try chunk.withUnsafeMutableBytes(read)
        return count == 0 ? nil : Array(chunk[..<count])
      }
    case 8:
      let stream = InflateStream(.raw, read)
      return { try stream.next() }
    default: throw CompressionError.unsupported("compression method \(entry.method)")
    }
  }

  private func packed(_ entry: Entry) throws -> InflateStream.Source {
    let header = try bytes(entry.offset, 30)
    guard header.count == 30, Self.number(header, 0, 4) == 0x0403_4B50 else { throw CompressionError.damaged }
    var place = entry.offset + 30 + Self.number(header, 26, 2) + Self.number(header, 28, 2)
    let end = place + entry.packedSize
    return { [self] buffer in
      let count = pread(descriptor, buffer.baseAddress, min(buffer.count, end - place), off_t(place))
      guard count >= 0 else { throw CompressionError.unreadable(errorNumber: errno) }
      guard count > 0 || place >= end else { throw CompressionError.cutOff }
      place += count
      return count
    }
  }

  private func bytes(_ offset: Int, _ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = pread(descriptor, &bytes, count, off_t(offset))
    guard got >= 0 else { throw CompressionError.unreadable(errorNumber: errno) }
    return Array(bytes[..<got])
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int {
    (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }
}
