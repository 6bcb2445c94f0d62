internal import Foundation

extension AppleModel {
  /// The largest file that is read, in bytes.
  private static let sizeLimit = 64 << 20

  /// Reads a `.xcdatamodeld`, `.xcdatamodel`, `.momd` or `.mom`: of several versions the current one, or the one that
  /// `version` names.
  public init(path: String, version: String? = nil) throws(AppleModelError) {
    let file = try Self.file(at: path, version: version)
    do throws(AppleModelError) {
      self = try Self.read(file)
    } catch {
      throw AppleModelError(error.fact, path: file)
    }
  }

  /// The file or folder that is meant: that of a version, where there are several.
  static func file(at path: String, version: String?) throws(AppleModelError) -> String {
    guard FileManager.default.fileExists(atPath: path) else { throw AppleModelError(.notFound, path: path) }
    guard let folder = ModelFolder(path) else { return path }
    do throws(AppleModelError) {
      return try folder.version(version).path
    } catch {
      throw AppleModelError(error.fact, path: path)
    }
  }

  private static func read(_ path: String) throws(AppleModelError) -> AppleModel {
    var isDirectory: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    return try isDirectory.boolValue ? read(document: path) : read(file: path)
  }

  /// The versions in a folder of versions, by name; none for a model that stands alone.
  public static func versions(at path: String) throws(AppleModelError) -> [AppleModelVersion] {
    guard FileManager.default.fileExists(atPath: path) else { throw AppleModelError(.notFound, path: path) }
    return ModelFolder(path)?.versions ?? []
  }

  /// Reads a `.xcdatamodel`, which is a folder with one file of interest.
  private static func read(document path: String) throws(AppleModelError) -> AppleModel {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    if names.contains("contents") { return try read(file: path + "/contents") }
    if names.contains("elements") || names.contains("layout") { throw AppleModelError(.binaryModelDocument) }
    throw notAModel(
      names.isEmpty ? "an empty folder" : "a folder with \(names.sorted().prefix(3).joined(separator: ", "))")
  }

  private static func read(file path: String) throws(AppleModelError) -> AppleModel {
    let bytes = try contents(path)
    if BinaryPropertyList.isBegun(by: bytes) { return try AppleModel(compiled: bytes) }
    // XML begins with an element, after optional spaces or the byte order mark of UTF-8.
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    guard first == UInt8(ascii: "<") else { throw notAModel("another kind of file") }
    return try AppleModel(document: bytes)
  }

  static func contents(_ path: String) throws(AppleModelError) -> [UInt8] {
    let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    guard let size, size <= sizeLimit, let data = FileManager.default.contents(atPath: path) else {
      throw size.map { $0 > sizeLimit } == true ? notAModel("a file of more than 64 MB") : AppleModelError(.notFound)
    }
    return Array(data)
  }

  private static func notAModel(_ found: String) -> AppleModelError {
    AppleModelError(.notAModel(expected: "a .xcdatamodeld, .xcdatamodel, .momd or .mom", found: found))
  }
}
