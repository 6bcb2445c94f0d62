/// What a form of a page does; its address is `/-/set`.
///
/// To add one, add a case, what `ChangeMaker` does for it, and the form that sends it.
enum PageAction: String {
  /// Gives a property of an object another value.
  case set
  /// Makes an object.
  case add
  case delete
  /// Makes and changes objects by rows of a text.
  case paste
  /// Gives a property of all objects of a request another value.
  case setall
  /// Adds an object to a to-many, or removes one.
  case member
  /// Sets an input of a script's page, or does what a button is for.
  case input
  /// Drops the unsaved changes of an object, or all.
  case discard
  /// Decides a conflict of an object with the store.
  case resolve
  case save, undo, redo
  /// Takes the last save back, or makes it again.
  case undosave, redosave

  var path: String { "/-/" + rawValue }
}
