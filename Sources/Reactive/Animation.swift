/// The way in which observers show a change, by the name that SwiftUI gives it after the dot.
///
///     @FetchRequest(sortDescriptors: [SortDescriptor(\.time)], animation: .default)
///     withAnimation(.easeIn(duration: 0.3)) { quake.magnitude = 7 }
///
/// Nothing is drawn here: an animation is a text that observers receive with a change.
public struct Animation: Hashable, Sendable, CustomStringConvertible {
  /// The name, with its arguments and modifiers: `default`, `spring(duration: 1)`, `easeIn.delay(0.5)`.
  public let description: String

  /// Creates an animation with a name of the program's own.
  public init(_ name: String) { description = name }

  /// The animation for changes that name none.
  public static let `default` = Animation("default")
  /// A constant speed.
  public static let linear = Animation("linear")
  /// A slow beginning.
  public static let easeIn = Animation("easeIn")
  /// A slow end.
  public static let easeOut = Animation("easeOut")
  /// A slow beginning and end.
  public static let easeInOut = Animation("easeInOut")
  /// A spring.
  public static let spring = Animation("spring")
  /// A spring without bounce.
  public static let smooth = Animation("smooth")
  /// A spring with a little bounce.
  public static let snappy = Animation("snappy")
  /// A spring with more bounce.
  public static let bouncy = Animation("bouncy")
  /// A spring that follows a gesture.
  public static let interactiveSpring = Animation("interactiveSpring")

  /// A constant speed, for `duration` seconds.
  public static func linear(duration: Double) -> Animation { linear.lasting(duration) }
  /// A slow beginning, for `duration` seconds.
  public static func easeIn(duration: Double) -> Animation { easeIn.lasting(duration) }
  /// A slow end, for `duration` seconds.
  public static func easeOut(duration: Double) -> Animation { easeOut.lasting(duration) }
  /// A slow beginning and end, for `duration` seconds.
  public static func easeInOut(duration: Double) -> Animation { easeInOut.lasting(duration) }
  /// A spring for about `duration` seconds; a `bounce` of 0 is none, 1 the most.
  public static func spring(duration: Double = 0.5, bounce: Double = 0) -> Animation {
    Animation("spring(duration: \(duration), bounce: \(bounce))")
  }

  /// The animation after a pause in seconds.
  public func delay(_ seconds: Double) -> Animation { Animation("\(self).delay(\(seconds))") }
  /// The animation at a multiple of its speed.
  public func speed(_ factor: Double) -> Animation { Animation("\(self).speed(\(factor))") }
  /// The animation several times.
  public func repeatCount(_ count: Int, autoreverses: Bool = true) -> Animation {
    Animation("\(self).repeatCount(\(count), autoreverses: \(autoreverses))")
  }
  /// The animation without end.
  public func repeatForever(autoreverses: Bool = true) -> Animation {
    Animation("\(self).repeatForever(autoreverses: \(autoreverses))")
  }

  private func lasting(_ seconds: Double) -> Animation { Animation("\(self)(duration: \(seconds))") }
}
