internal import HTTP
internal import Modeling
internal import ObjectGraph
internal import Presentation

/// A value of bytes: a picture where its first bytes are those of one, else its size; and its address of its own.
struct DataView {
  private let object: ManagedObject
  private let index: Int
  private let store: PageStore

  /// The bytes that a picture may have.
  private static let largestPicture = 10 << 20

  init(_ object: ManagedObject, at index: Int, in store: PageStore) {
    (self.object, self.index, self.store) = (object, index, store)
  }

  /// What stands in a cell; on the page of its object with a link by which it is saved as a file.
  func html(_ blob: Blob, isWhole: Bool) -> HTML {
    let size = CellView.text(.blob(blob), isWhole)
    let address = PageAddress.data(store.address(of: object), object.entity.properties[index].name).text
    guard let format = PictureFormat(blob.head), blob.isWhole, blob.byteCount <= Self.largestPicture else {
      return isWhole && blob.byteCount > 0
        ? .group([size, .text(" "), .tag("a", ["href": address], "Save as a file")]) : size
    }
    // Another picture has another address.
    let source = address + "&" + URLText.query([.init("at", Self.fingerprint(blob.head))])
    let text = "\(format.rawValue.uppercased()), \(Quantity.bytes(blob.byteCount))"
    return .tag(
      "a", ["href": address],
      [.tag("img", ["class": "picture", "src": source, "alt": text, "title": text, "loading": "lazy"])])
  }

  /// A hash of the length and of bytes at the beginning, at the end and between; formats of pictures end with sums of all.
  private static func fingerprint(_ bytes: [UInt8]) -> String {
    var hasher = Hasher()
    hasher.combine(bytes.count)
    let step = max(bytes.count / 1024, 1)
    for place in stride(from: 0, to: bytes.count, by: step) { hasher.combine(bytes[place]) }
    for byte in bytes.suffix(64) { hasher.combine(byte) }
    return String(UInt(bitPattern: hasher.finalize()), radix: 36)
  }

  /// The bytes: a picture to be shown, anything else as a file.
  ///
  /// - Throws: PageProblem where there is none.
  func response() throws -> HTTPResponse {
    let name = object.entity.properties[index].name
    guard object.entity.properties[index].attribute != nil,
      case .data(let bytes) = try store.reading({ try object.attribute(at: index) })
    else { throw PageProblem.noData(name, entity: object.entity.name) }
    let format = PictureFormat(bytes)
    var response = HTTPResponse(type: format?.mediaType ?? "application/octet-stream", .bytes(bytes))
    let stem = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let file = "filename=\"\(stem.isEmpty ? "data" : stem).\(format?.rawValue ?? "bin")\""
    response.headers.append(.init("Content-Disposition", (format == nil ? "attachment; " : "inline; ") + file))
    return response
  }
}
