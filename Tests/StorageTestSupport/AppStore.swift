package import Foundation
package import Modeling
import Queries
package import SQLiteStorage
import Stores
package import TestSupport

/// The store of Examples/app-store, as an app of Apple's framework would leave it.
package struct AppStore {
  package let folder: TemporaryFolder
  package var path: String { folder.file("Recipes.sqlite") }

  package init() throws {
    folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", Self.root + "/Examples/app-store/make.py", folder.file("Recipes.sqlite")]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CommandFailure(output: "make.py failed") }
  }

  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  package func open() throws -> SQLiteStore { try SQLiteStore(StoreOptions(path: path)) }

  /// What is in the folder, and what each file of it holds; the index of a write-ahead log is no content.
  package func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where !name.hasSuffix("-shm") {
      contents[name] = FileManager.default.contents(atPath: folder.file(name)) ?? Data()
    }
    return contents
  }
}

extension SQLiteStore {
  /// The values of an attribute, opened, in the order of another one or of the keys.
  package func values(_ name: String, of entity: String, where format: String? = nil) throws -> [Value] {
    guard let entity = model.entity(named: entity), let index = entity.index(of: name) else { return [] }
    var request = FetchRequest(entity)
    if let format { request.predicate = try Predicate.parse(format) }
    let cursor = try cursor(request)
    var values: [Value] = []
    while try cursor.step() {
      let layout = layout(of: cursor.entity)
      guard case .column(let column) = layout.properties[index] else { continue }
      let value = ValueCoding.decode(
        cursor.storageClass(column), integer: cursor.integer(column), real: cursor.real(column),
        bytes: cursor.bytes(column), as: layout.columns[column].type)
      values.append(opened(value, of: layout.columns[column]))
    }
    return values
  }

  /// The keys of the objects that a predicate selects.
  package func keys(_ entity: String, _ format: String) throws -> [Int64] {
    var request = FetchRequest(try model.entity(named: entity).unwrapped())
    request.predicate = try Predicate.parse(format)
    return try keys(request).sorted()
  }
}

package struct NothingThere: Error {
  package init() {}
}

extension Optional {
  package func unwrapped() throws -> Wrapped {
    guard let self else { throw NothingThere() }
    return self
  }
}
