/// Whether text can be run as it is.
package enum Completeness: Equatable {
  case complete
  /// It wants more lines.
  case incomplete
  /// More lines will not help: it is run, to hear why.
  case invalid
}
