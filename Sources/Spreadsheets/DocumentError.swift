/// Why a workbook, or a document of XML, cannot be read.
package enum DocumentError: Error, Equatable {
  /// What is wrong with it.
  case damaged(String)
  /// It has more than a reader is prepared to hold.
  case tooLarge(String)
}
