package engine

// usualBound is how many entries a reply lists when no one says otherwise.
const usualBound = 100

// FirstOf is the beginning of a list that a reply has room for; limit 0 stands for
// the usual bound.
func FirstOf[T any](all []T, limit int) []T {
	if limit <= 0 {
		limit = usualBound
	}
	return all[:min(limit, len(all))]
}
