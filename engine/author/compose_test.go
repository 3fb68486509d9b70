package author

import "testing"

func TestAdd_splitsLongDescriptions(t *testing.T) {
	t.Parallel()
	long := "The first sentence says what. The second one says why, at a length that no title should ever have in a list."
	for in, want := range map[string][2]string{
		"short":              {"short", ""},
		"title\n\nbody":      {"title", "body"},
		long:                 {"The first sentence says what", "The second one says why, at a length that no title should ever have in a list."},
		"  spaced  \n text ": {"spaced", "text"},
	} {
		title, rest := splitDescription(in)
		if title != want[0] || rest != want[1] {
			t.Errorf("%q: %q, %q", in, title, rest)
		}
	}
}
