package reviews

import "chant/engine/author/review"

// comments are those of a command line. --on belongs to the comment before it, or, if that has a place, to the next
// one.
type comments struct {
	list  []review.Said
	about string // the place of the next comment
	text  commentFlag
	place placeFlag
}

// commentFlag adds a comment.
type commentFlag struct{ to *comments }

// String is empty: there is no default.
func (f *commentFlag) String() string { return "" }

// Type names the value in the help.
func (f *commentFlag) Type() string { return "text" }

// Set takes one comment. The operation checks it.
func (f *commentFlag) Set(text string) error {
	f.to.list = append(f.to.list, review.Said{Text: text, At: f.to.about})
	f.to.about = ""
	return nil
}

// placeFlag gives a comment its place.
type placeFlag struct{ to *comments }

// String is empty: there is no default.
func (f *placeFlag) String() string { return "" }

// Type names the value in the help.
func (f *placeFlag) Type() string { return "place" }

// Set takes the place of one comment. The operation checks it.
func (f *placeFlag) Set(place string) error {
	// A place belongs to the comment before it, or, if that has one, to the next one.
	if n := len(f.to.list); n > 0 && f.to.list[n-1].At == "" && f.to.about == "" {
		f.to.list[n-1].At = place
		return nil
	}
	f.to.about = place
	return nil
}
