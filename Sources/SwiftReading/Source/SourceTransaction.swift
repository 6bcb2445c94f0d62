/// `Transaction(animation: .easeIn)`, of which a request has the animation.
struct SourceTransaction: Equatable {
  /// The animation as it is written after the point; nil for none.
  var animation: String?
  var disablesAnimations = false

  init(_ animation: String?) { self.animation = animation }

  /// The animation that is shown.
  var shown: String? { disablesAnimations ? nil : animation }
}
