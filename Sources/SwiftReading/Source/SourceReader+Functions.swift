internal import Modeling
internal import Queries
internal import SwiftParsing

// Functions that make predicates and requests, called with arguments.
extension SourceReader {
  /// The name under which `name`, `self.name`, `Item.name` or `.name` was declared.
  func key(_ name: String, of base: SwiftSyntax?) -> String? {
    switch base?.kind {
    case nil:
      if constants[name] != nil { return name }
      // `.recent`, of the one type that has it.
      let qualified = constants.names.filter { $0.hasSuffix("." + name) }
      return qualified.count == 1 ? qualified.first : nil
    case .name("self"), .name("Self"): return name
    case .name(let owner): return "\(owner).\(name)"
    case .call(let callee, _, _): return key(name, of: callee)
    default: return nil
    }
  }

  /// A predicate of a function with its arguments in the place of the parameters; nil where one cannot be.
  mutating func fill(
    _ predicate: Predicate, _ parameters: [SwiftDeclaration], _ arguments: [SwiftArgument]
  ) -> Predicate? {
    var values: [String: Expression] = [:]
    var rest = parameters[...]
    for argument in arguments {
      let label = argument.label ?? "_"
      guard let index = rest.firstIndex(where: { $0.label == label }) else {
        let known = parameters.compactMap(\.label)
        issues.report(
          .unknownArgument(
            argument.label ?? source(argument.value.range), of: "the function",
            nearest: nearestName(to: label, in: known)),
          at: argument.value.range)
        return nil
      }
      let name = rest[index].name
      rest = rest[(index + 1)...]
      switch self.argument(argument.value) {
      case .value(let value): values[name] = .argument(value, name: name)
      case .expression(let expression): values[name] = expression
      }
    }
    return predicate.replacing { (part, bound) -> Expression? in
      guard case .variable(let name, _) = part, !bound.contains(name) else { return nil }
      return values[name]
    }
  }
}
