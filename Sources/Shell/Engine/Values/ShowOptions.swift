/// How `show` was asked to show a value, beside what the session has set.
struct ShowOptions {
  var mode: OutputMode?
  var columns: [String]?
  var limit: Int?
  var maximumWidth: Int?
}
