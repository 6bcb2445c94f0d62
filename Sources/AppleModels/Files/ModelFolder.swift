internal import Foundation
internal import Modeling

/// A folder with the versions of a model: `.xcdatamodeld`, or `.momd` when it is compiled.
struct ModelFolder {
  /// The versions, by name.
  let versions: [AppleModelVersion]

  /// The versions in the folder at `path`; nil if it is another kind of folder.
  init?(_ path: String) {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
    let documents = names.filter { $0.hasSuffix(".xcdatamodel") }
    let compiled = names.filter { $0.hasSuffix(".mom") }
    let files = (documents.isEmpty ? compiled : documents).sorted { left, right in
      // Shop, Shop 2, Shop 10.
      Self.name(of: left).compare(Self.name(of: right), options: .numeric) == .orderedAscending
    }
    guard !files.isEmpty else { return nil }
    let current =
      documents.isEmpty
      ? Self.text("NSManagedObjectModel_CurrentVersionName", in: path + "/VersionInfo.plist")
      : Self.text("_XCCurrentVersionName", in: path + "/.xccurrentversion")
    let known = files.map(Self.name)
    let marked = current.map(Self.name).flatMap { known.contains($0) ? $0 : nil } ?? known.first
    versions = zip(known, files).map {
      AppleModelVersion(name: $0, isCurrent: $0 == marked, path: "\(path)/\($1)")
    }
  }

  /// The current version, or the one called `name`, with or without the end of its file's name.
  func version(_ name: String?) throws(AppleModelError) -> AppleModelVersion {
    let wanted = name.map(Self.name)
    if let found = versions.first(where: { wanted.map([$0.name].contains) ?? $0.isCurrent }) { return found }
    let known = versions.map(\.name)
    throw AppleModelError(
      .unknownVersion(name ?? "", known: known, nearest: nearestName(to: wanted ?? "", in: known)))
  }

  private static func name(of file: String) -> String {
    for end in [".xcdatamodel", ".mom"] where file.hasSuffix(end) { return String(file.dropLast(end.count)) }
    return file
  }

  private static func text(_ key: String, in path: String) -> String? {
    guard let data = FileManager.default.contents(atPath: path), data.count < 1 << 24 else { return nil }
    // Foundation's reader makes a tree of a binary list, which few bytes can make endless.
    if BinaryPropertyList.isBegun(by: data) {
      let list = try? BinaryPropertyList(Array(data))
      let fields = list.flatMap { $0.fields(of: $0.objects[$0.root]) }
      return if case .string(let text)? = fields?[key] { text } else { nil }
    }
    let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
    return (list as? [String: Any])?[key] as? String
  }
}
