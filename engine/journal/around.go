package journal

// Before is what stood around a run when its agent began, outside of what its branch
// can show. It stands in the journal.
type Before struct {
	Tip      string            `json:"tip"`      // of the branch
	Programs map[string]string `json:"programs"` // what git runs by itself
	Tools    map[string]string `json:"tools"`    // what the commands of criteria run, where it lies and its content
	Home     map[string]string `json:"home"`     // what lies uncommitted in home's .chant and asks for less, and the settings
	Lent     map[string]string `json:"lent"`     // uncommitted files that the settings copy or link into trees; nil = not recorded
	Above    map[string]string `json:"above"`    // what tools find above the trees of checks; nil = not recorded
}

// HomeCopy is home's copy of a run's spec at a time when no agent worked at it. What differs from it
// when the next attempt begins, a person has edited.
type HomeCopy struct {
	Branch string `json:"branch"` // that home had checked out, "" for none
	Text   string `json:"text"`
}

// Taken is what the journal keeps of an edit of home's copy that the branch was given.
type Taken struct {
	Commit string `json:"commit"`
	Counts string `json:"counts"` // the text whose criteria count from then on
}
