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
      let end = (0...tail.count - 22).last(where: { number(tail, $0, 4) == 0x0605_4B50 })
    else { throw try bytes(0, 4) == [0x50, 0x4B, 3, 4] ? CompressionError.cutOff : .noArchive }
    let directory = try largeDirectory(tail, end) ?? Directory(tail, end + 10, [2, 4, 4])
    guard directory.count >= 0, (0...Self.largestDirectory).contains(directory.length),
      (0...size).contains(directory.start), directory.length <= size - directory.start
    else { throw CompressionError.damaged }
    try readDirectory(try bytes(directory.start, directory.length), directory.count)
  }

  /// Where the list of the files is.
  private struct Directory {
    let count: Int
    let length: Int
    let start: Int

    /// Reads three numbers of some sizes.
    init(_ bytes: [UInt8], _ offset: Int, _ sizes: [Int]) {
      count = number(bytes, offset, sizes[0])
      length = number(bytes, offset + sizes[0], sizes[1])
      start = number(bytes, offset + sizes[0] + sizes[1], sizes[2])
    }
  }

  /// What an archive in the form for more than 4 GB says in a record of its own; nil for any other.
  private func largeDirectory(_ tail: [UInt8], _ end: Int) throws -> Directory? {
    guard end >= 20, number(tail, end - 20, 4) == 0x0706_4B50 else { return nil }
    let record = try bytes(max(0, number(tail, end - 12, 8)), 56)
    guard record.count == 56, number(record, 0, 4) == 0x0606_4B50 else { throw CompressionError.damaged }
    return Directory(record, 32, [8, 8, 8])
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private func readDirectory(_ directory: [UInt8], _ count: Int) throws {
    var place = 0
    for _ in 0..<count {
      guard place + 46 <= directory.count, number(directory, place, 4) == 0x0201_4B50 else {
        throw CompressionError.damaged
      }
      let lengths = [28, 30, 32].map { number(directory, place + $0, 2) }
      let next = place + 46 + lengths.reduce(0, +)
      guard next <= directory.count else { throw CompressionError.damaged }
      let name = String(decoding: directory[(place + 46)..<(place + 46 + lengths[0])], as: UTF8.self)
      if number(directory, place + 8, 2) & 1 != 0 { throw CompressionError.unsupported("encryption") }
      var sizes = [24, 20, 42].map { number(directory, place + $0, 4) }
      let extra = (place + 46 + lengths[0])..<(next - lengths[2])
      readLarge(&sizes, directory[extra])
      guard sizes.allSatisfy({ $0 >= 0 }), sizes[1] <= size, sizes[2] <= size else { throw CompressionError.damaged }
      entries[name] = Entry(
        method: number(directory, place + 10, 2), checksum: number(directory, place + 16, 4), packedSize: sizes[1],
        offset: sizes[2])
      place = next
    }
  }

  /// Replaces sizes that need more than four bytes by those that stand behind the file's name.
  private func readLarge(_ sizes: inout [Int], _ extra: ArraySlice<UInt8>) {
    var fields = Array(extra)
    while fields.count >= 4 {
      let (kind, length) = (number(fields, 0, 2), number(fields, 2, 2))
      var field = Array(fields.dropFirst(4).prefix(length))
      fields = Array(fields.dropFirst(4 + length))
      guard kind == 1 else { continue }
      for index in sizes.indices where sizes[index] == 0xFFFF_FFFF && field.count >= 8 {
        sizes[index] = number(field, 0, 8)
        field = Array(field.dropFirst(8))
      }
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
    guard header.count == 30, number(header, 0, 4) == 0x0403_4B50 else { throw CompressionError.damaged }
    var place = entry.offset + 30 + number(header, 26, 2) + number(header, 28, 2)
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
}

/// A number of up to eight bytes, the lowest first; negative beyond the range of integers.
private func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int {
  (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
}
