internal import Glibc

/// A temporary column of plain values, in memory that returns to the system when the column is deallocated.
///
/// The input from which a list is loaded is as large as the list. Memory from `malloc` would stay with the process,
/// fragmented among memory in use. Pieces are never moved, so that growing copies nothing. Indices are not checked.
final class MappedColumn<Element: BitwiseCopyable> {
  private static var pieceBits: Int { 16 }
  private static var pieceSize: Int { 1 << pieceBits }

  private var pieces: ContiguousArray<UnsafeMutablePointer<Element>> = []
  /// The address of the next value, and the end of its piece.
  private var next: UnsafeMutablePointer<Element>?
  private var end: UnsafeMutablePointer<Element>?
  /// The number of values.
  private(set) var count = 0

  deinit {
    for piece in pieces { Self.unmap(piece, Self.pieceSize) }
  }

  /// Adds a value.
  func append(_ value: Element) {
    if next == end { addPiece() }
    guard let place = next else { return }
    place.initialize(to: value)
    next = place + 1
    count += 1
  }

  subscript(index: Int) -> Element {
    pieces[index >> Self.pieceBits][index & (Self.pieceSize - 1)]
  }

  private func addPiece() {
    let piece = Self.map(Self.pieceSize)
    pieces.append(piece)
    next = piece
    end = piece + Self.pieceSize
  }

  /// Maps memory for `count` values; all bytes are zero.
  static func map(_ count: Int) -> UnsafeMutablePointer<Element> {
    let bytes = max(1, count) * MemoryLayout<Element>.stride
    let start = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let start, start != MAP_FAILED else { fatalError("there is no memory for \(bytes) bytes") }
    return start.bindMemory(to: Element.self, capacity: count)
  }

  /// Unmaps memory that `map` returned.
  static func unmap(_ start: UnsafeMutablePointer<Element>, _ count: Int) {
    munmap(start, max(1, count) * MemoryLayout<Element>.stride)
  }
}
