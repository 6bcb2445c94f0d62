import Foundation
import PeriluneKit

// Views that draw lines of text: what samples written for SwiftUI need to be compiled and run. Samples outside of the
// tests are compiled together with these files.

/// A part of a screen.
protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

/// A view that draws itself.
protocol DrawnView: View where Body == Never {
  func draw(on screen: Screen)
}

extension DrawnView {
  var body: Never { return fatalError("a drawn view has no body") }
}

extension Never: View {
  var body: Never { return fatalError("there is no such view") }
}

/// Any number of views, one after the other.
struct Group: DrawnView {
  var views: [any View]

  func draw(on screen: Screen) { for view in views { screen.draw(view) } }
}

@resultBuilder enum ViewBuilder {
  static func buildExpression(_ view: some View) -> Group { Group(views: [view]) }
  static func buildBlock(_ parts: Group...) -> Group { Group(views: parts.flatMap(\.views)) }
  static func buildOptional(_ part: Group?) -> Group { part ?? Group(views: []) }
  static func buildEither(first: Group) -> Group { first }
  static func buildEither(second: Group) -> Group { second }
}

/// What views have drawn, and what a user can do with it.
final class Screen {
  private var drawings: [() -> String] = []
  private var actions: [String: () -> Void] = [:]
  private var fields: [String: (String) -> Void] = [:]
  private var tags: [ObservationToken] = []

  /// Draws a view and returns its lines.
  static func lines(of view: some View) -> [String] {
    let screen = Screen(view)
    return withExtendedLifetime(screen) { screen.lines }
  }

  init(_ view: some View) { draw(view) }

  deinit { for tag in tags { tag.cancel() } }

  /// The lines, with what became known after they were drawn.
  var lines: [String] { drawings.map { $0() } }

  func draw<Content: View>(_ view: Content) {
    updateDynamicProperties(of: view)
    if let drawn = view as? any DrawnView { drawn.draw(on: self) } else { draw(view.body) }
  }

  func add(_ line: @autoclosure @escaping () -> String) { drawings.append(line) }
  func add(button title: String, _ action: @escaping () -> Void) { actions[title] = action }
  func add(field title: String, _ set: @escaping (String) -> Void) { fields[title] = set }

  /// Keeps a tag for as long as the screen shows what has it.
  func keep(_ tag: ObservationToken) { tags.append(tag) }

  /// Presses a button, or clicks on the header of a column.
  func press(_ title: String) { actions[title]?() }

  /// Types a text into a field.
  func type(_ text: String, into title: String) { fields[title]?(text) }
}

/// A view with something that happens when it is drawn.
struct ModifiedView<Content: View>: DrawnView {
  var content: Content
  var action: (Screen) -> Void

  func draw(on screen: Screen) {
    screen.draw(content)
    action(screen)
  }
}

extension View {
  func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some View {
    EnvironmentView(content: self, keyPath: keyPath, value: value)
  }

  /// Calls `action` with the new value when a drawing finds another than the drawing before.
  func onChange<Value: Equatable>(of value: Value, perform action: @escaping (Value) -> Void) -> some View {
    ModifiedView(content: self) { _ in
      if let last = ValueMemory.last as? Value, last != value { action(value) }
      ValueMemory.last = value
    }
  }

  func frame(width: Double, height: Double) -> some View {
    ModifiedView(content: self) { _ in Rectangle.last?.size = "\(Int(width))×\(Int(height))" }
  }
}

/// The value of the last drawing; the samples have one `onChange`.
private enum ValueMemory {
  nonisolated(unsafe) static var last: Any?
}

struct EnvironmentView<Content: View, Value>: DrawnView {
  var content: Content
  var keyPath: WritableKeyPath<EnvironmentValues, Value>
  var value: Value

  func draw(on screen: Screen) { withEnvironment(keyPath, value) { screen.draw(content) } }
}
