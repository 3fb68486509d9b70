package reviewed

import "slices"

// Same reports whether two comments are one: it was copied with the spec.
func (c Comment) Same(other Comment) bool {
	return c.By == other.By && c.At.Equal(other.At) && c.File == other.File && c.Line == other.Line && c.Text == other.Text
}

// Union returns the comments of two copies of a spec, in the order of their times as far as these are known.
func Union(a, b []Comment) []Comment {
	out := slices.Concat(a, Beyond(b, a))
	slices.SortStableFunc(out, func(x, y Comment) int {
		if x.At.IsZero() || y.At.IsZero() {
			return 0
		}
		return x.At.Compare(y.At)
	})
	return out
}

// Beyond lists the comments that the other copy does not have.
func Beyond(all, other []Comment) []Comment {
	var out []Comment
	for _, c := range all {
		if !slices.ContainsFunc(other, c.Same) {
			out = append(out, c)
		}
	}
	return out
}
