internal import Glibc

/// Plain values that are collected for a moment, in memory that the system has back as soon as they are let go.
///
/// What a list is loaded from is as large as the list; given to `malloc`, its pieces would stay with the process, between
/// what is kept. Pieces are never moved, so that growing copies nothing. Indices are not checked.
final class MappedColumn<Element: BitwiseCopyable> {
  private static var pieceBits: Int { 16 }
  private static var pieceSize: Int { 1 << pieceBits }

  private var pieces: ContiguousArray<UnsafeMutablePointer<Element>> = []
  /// Where the next value goes, and where its piece ends.
  private var next: UnsafeMutablePointer<Element>?
  private var end: UnsafeMutablePointer<Element>?
  /// How many there are.
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

  /// Memory for so many values, from the system; all bytes are zero.
  static func map(_ count: Int) -> UnsafeMutablePointer<Element> {
    let bytes = max(1, count) * MemoryLayout<Element>.stride
    let start = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let start, start != MAP_FAILED else { fatalError("there is no memory for \(bytes) bytes") }
    return start.bindMemory(to: Element.self, capacity: count)
  }

  /// Gives back what `map` gave.
  static func unmap(_ start: UnsafeMutablePointer<Element>, _ count: Int) {
    munmap(start, max(1, count) * MemoryLayout<Element>.stride)
  }
}
