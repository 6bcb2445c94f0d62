internal import Modeling
internal import Queries

// Rules for syntax that only Perilune's format language has, and for variables without a value.
extension RefusalRule {
  static let language = [quotedKey, castToEntity, ownLiteral, fetchSource]

  private static let quotedKey = RefusalRule(
    id: "quoted-key", severity: .refused, stores: [.sqlite, .memory],
    summary: "A key that is not a word is written in quotes, as #\"strange name\".",
    advice: "give the key with %K"
  ) { subject in
    subject.expressions { expression, _ in
      switch expression {
      case .path(let path), .variablePath(_, let path): !path.names.allSatisfy(isWord)
      default: false
      }
    }
  }

  private static func isWord(_ key: String) -> Bool {
    guard let first = key.unicodeScalars.first, first == "_" || first.properties.isAlphabetic else { return false }
    return key.unicodeScalars.allSatisfy { scalar in
      scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
  }

  private static let castToEntity = RefusalRule(
    id: "cast-to-entity", severity: .refused, stores: [.sqlite, .memory],
    summary:
      "An object is taken as one of a subentity, which #Predicate says with as? and the format language has no words for.",
    advice: "fetch the subentity, whose properties can be asked for without"
  ) { subject in
    subject.expressions { expression, _ in
      switch expression {
      case .path(let path), .variablePath(_, let path), .collection(_, _, .some(let path)):
        path.hasCasts
      default: false
      }
    }
  }

  private static let ownLiteral = RefusalRule(
    id: "own-literal", severity: .refused, stores: [.sqlite, .memory],
    summary: "A UUID, a URL, bytes, JSON or an object is written in the text, for which Apple's language has no words.",
    advice: "give the value with %@"
  ) { subject in
    subject.expressions { expression, _ in
      guard case .constant(let value) = expression else { return false }
      return switch value {
      case .uuid, .url, .data, .json, .object: true
      case .list(let values): values.contains { ["UUID", "URL", "Data", "JSON"].contains($0.kindName) }
      default: false
      }
    }
  }

  private static let fetchSource = RefusalRule(
    id: "fetch-source", severity: .refused, stores: [.sqlite, .memory, .swiftData],
    summary: "$FETCH_SOURCE and $FETCHED_PROPERTY have a value in the predicates of fetched properties alone.",
    advice: "give the object with %@, or a variable of its own with bind"
  ) { subject in
    subject.expressions { expression, scope in
      switch expression {
      case .variable(let name, _), .variablePath(let name, _):
        ["FETCH_SOURCE", "FETCHED_PROPERTY"].contains(name) && scope.variables[name] == nil
      default: false
      }
    }
  }
}
