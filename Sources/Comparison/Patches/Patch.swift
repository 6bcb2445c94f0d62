internal import Modeling

/// Differences in a file, with what they are about: a line of JSON for each, behind one that says so.
///
///     {"perilune":"patch","version":1,"count":1,"identities":{"Quake":["code"]},"properties":{"Quake":["code","place"]}}
///     {"kind":"updated","entity":"Quake","identity":["us2"],"changes":[{"property":"place","old":{"value":"there"},"new":{"value":"here"}}]}
package struct Patch {
  package var scope: ComparisonScope
  package var differences: [ObjectDifference]
  static let version: Int64 = 1

  package init(_ scope: ComparisonScope, _ differences: [ObjectDifference]) {
    (self.scope, self.differences) = (scope, differences)
  }

  /// Calls `body` with each line.
  package func write(_ body: (String) throws -> Void) rethrows {
    func names(_ lists: [String: [String]]) -> JSON { .object(lists.mapValues { .array($0.map(JSON.string)) }) }
    let head: [String: JSON] = [
      "perilune": .string("patch"), "version": .int(Self.version), "count": .int(Int64(differences.count)),
      "identities": names(scope.identities), "properties": names(scope.properties),
    ]
    try body(JSON.object(head).text)
    for difference in differences { try body(difference.coded.text) }
  }
}

extension ObjectDifference {
  fileprivate var coded: JSON {
    .object([
      "kind": .string(kind.rawValue), "entity": .string(entity), "identity": .array(identity.map(\.coded)),
      "changes": .array(
        properties.map {
          .object(["property": .string($0.name), "old": $0.old.coded, "new": $0.new.coded])
        }),
    ])
  }
}

extension ComparedValue {
  fileprivate var coded: JSON {
    switch self {
    case .value(let value): .object(["value": value.coded])
    case .object(let reference): .object(["object": reference?.coded ?? .null])
    case .objects(let references): .object(["objects": .array(references.map(\.coded))])
    }
  }
}

extension ComparedReference {
  fileprivate var coded: JSON {
    .object(["entity": .string(entity), "identity": .array(identity.map(\.coded))])
  }
}
