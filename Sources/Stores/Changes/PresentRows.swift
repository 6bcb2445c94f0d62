import StoreErrors

/// The values of changed rows after a commit, which read them itself, so that live results need not query them.
///
/// Kept only for tables with row ids, and only for a small number of changed rows.
public struct PresentRows: Sendable {
  /// A column's value, as stored.
  public enum Item {
    /// NULL.
    case null
    /// An integer.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// Text, which need not be valid UTF-8.
    case text(ArraySlice<UInt8>)
    /// Bytes.
    case blob(ArraySlice<UInt8>)
  }

  /// The maximum number of bytes kept.
  private static let byteLimit = 256 << 10

  private var places: [Int64: Range<Int>] = [:]
  private var bytes: [UInt8] = []
  /// For each property of the entity, its column in the images; negative for none.
  package var columns: [Int] = []

  /// Knows no rows yet.
  package init() {}

  /// Whether the row exists.
  public func contains(_ key: Int64) -> Bool { places[key] != nil }

  /// Returns a row's value in the column of the property at an index; nil if it is unknown.
  public func item(of key: Int64, property: Int) -> Item? {
    guard let place = places[key], columns.indices.contains(property), columns[property] >= 0 else { return nil }
    var reader = ImageReader(bytes, place)
    do throws(StoreError) {
      for _ in 0..<columns[property] { _ = try reader.pass() }
      return switch try reader.item() {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let place): .text(bytes[place])
      case .blob(let place): .blob(bytes[place])
      }
    } catch {
      return nil
    }
  }

  /// The same, without rows.
  package var withoutRows: PresentRows {
    var none = PresentRows()
    none.columns = columns
    return none
  }

  /// Keeps the image of a row; returns false if the limit is reached.
  package mutating func add(_ image: [UInt8], key: Int64) -> Bool {
    guard bytes.count + image.count <= Self.byteLimit else { return false }
    places[key] = bytes.count..<(bytes.count + image.count)
    bytes.append(contentsOf: image)
    return true
  }

  /// Merges later changes and deletions; returns nil if the limit is reached.
  package func followed(by later: PresentRows, deleted: [Int64]) -> PresentRows? {
    var all = self
    for key in deleted { all.places[key] = nil }
    guard bytes.count + later.bytes.count <= Self.byteLimit, columns == later.columns else { return nil }
    for (key, place) in later.places {
      all.places[key] = (place.lowerBound + bytes.count)..<(place.upperBound + bytes.count)
    }
    all.bytes += later.bytes
    return all
  }
}
