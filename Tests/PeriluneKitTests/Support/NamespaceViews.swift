import Foundation
import PeriluneKit

// Views and modifiers with which the samples mark things by the names of a namespace.

enum Color: String { case red, blue, cyan, orange }

/// A rectangle. Its frame and place may be those of another one.
struct Rectangle: DrawnView {
  /// What was drawn: its own size, and what it takes from a source.
  final class Shape {
    var size = "?"
    var color = ""
    var source: () -> String = { "" }
  }

  /// The rectangle that was drawn last, which modifiers behind it mean.
  nonisolated(unsafe) static var last: Shape?

  var color: Color?

  func fill(_ color: Color) -> Rectangle { Rectangle(color: color) }

  func draw(on screen: Screen) {
    let shape = Shape()
    if let color { shape.color = "\(color) " }
    Self.last = shape
    screen.add("\(shape.color)rectangle \(shape.size)\(shape.source())")
  }
}

enum GeometryProperties: String { case frame, size, position }

extension View {
  func matchedGeometryEffect(
    id: some Hashable, in namespace: Namespace.ID, properties: GeometryProperties = .frame, isSource: Bool = true
  ) -> some View {
    ModifiedView(content: self) { screen in
      guard let shape = Rectangle.last else { return }
      namespace.onWarning = { warning in screen.add("a second source of \(warning.name)") }
      screen.keep(namespace.tag(id, shape, isSource: isSource))
      guard !isSource else { return }
      shape.source = {
        guard let found = namespace.resolve(id, as: Rectangle.Shape.self) else { return ", without a source" }
        return ", \(properties) of \(found.color)\(found.size)"
      }
    }
  }

  func prefersDefaultFocus(_ isPreferred: Bool, in namespace: Namespace.ID) -> some View {
    ModifiedView(content: self) { screen in
      if isPreferred { screen.keep(namespace.tag("focus", "email")) }
    }
  }

  func focusScope(_ namespace: Namespace.ID) -> some View {
    ModifiedView(content: self) { screen in
      screen.add("focus on \(namespace.resolve("focus", as: String.self) ?? "nothing")")
    }
  }

  func accessibilityRotorEntry(id: some Hashable, in namespace: Namespace.ID) -> some View {
    ModifiedView(content: self) { $0.keep(namespace.tag(id, "entry \(id)")) }
  }

  func accessibilityRotor(_ title: String, @ViewBuilder entries: @escaping () -> some View) -> some View {
    ModifiedView(content: self) { screen in
      screen.add("\(title):")
      screen.draw(entries())
    }
  }

  func id(_ id: some Hashable) -> some View { self }

  func sheet(isPresented: Binding<Bool>, @ViewBuilder content: @escaping () -> some View) -> some View {
    ModifiedView(content: self) { screen in if isPresented.wrappedValue { screen.draw(content()) } }
  }
}

struct AccessibilityRotorEntry: DrawnView {
  var text: String
  var name: AnyHashable
  var namespace: Namespace.ID

  init(_ text: String, _ id: some Hashable, in namespace: Namespace.ID, prepare: @escaping () -> Void) {
    (self.text, name, self.namespace) = (text, AnyHashable(id), namespace)
  }

  func draw(on screen: Screen) {
    screen.add("\(text): \(namespace.resolve(name, as: String.self) ?? "no entry")")
  }
}

struct ScrollViewProxy { func scrollTo(_ id: some Hashable) {} }

struct ScrollViewReader<Content: View>: View {
  @ViewBuilder var content: (ScrollViewProxy) -> Content
  var body: some View { content(ScrollViewProxy()) }
}
