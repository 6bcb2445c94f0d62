/// Swift source before it is laid out in lines.
///
/// Closures name their parameter only where they must: a layout decides between `$0`, a name and `_`.
indirect enum SwiftCode {
  case text(String)
  /// The parameter of a closure around, by its number.
  case parameter(Int)
  case sequence([SwiftCode])
  /// Operands of `&&` or `||`, which may stand on lines of their own.
  case chain(String, [SwiftCode])
  case parenthesized(SwiftCode)
  /// `[a, b]`
  case list([SwiftCode])
  case closure(SwiftClosure)
  /// `head(a, b)`, with an argument a line where one has no room.
  case call(String, [SwiftCode])

  /// Whether the parameter `number` is used, and whether it is used by a closure within.
  func mentions(of number: Int, isInner: Bool = false) -> (direct: Bool, inner: Bool) {
    func any(_ parts: [SwiftCode]) -> (direct: Bool, inner: Bool) {
      parts.reduce((false, false)) { result, part in
        let found = part.mentions(of: number, isInner: isInner)
        return (result.0 || found.direct, result.1 || found.inner)
      }
    }
    return switch self {
    case .text: (false, false)
    case .parameter(let other): other == number ? (!isInner, isInner) : (false, false)
    case .sequence(let parts), .chain(_, let parts), .list(let parts), .call(_, let parts): any(parts)
    case .parenthesized(let inner): any([inner])
    case .closure(let closure): closure.body.mentions(of: number, isInner: true)
    }
  }
}

/// A closure of one parameter.
struct SwiftClosure {
  var parameter: Int
  /// What the parameter is called where it needs a name.
  var name: String
  var body: SwiftCode
}
