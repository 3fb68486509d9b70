package similar

const (
	kinWeight = 0.5
	leastKin  = 4 // bytes of a stem that another consists of, with a prefix
)

// findKin returns, for each term, the terms that differ from it by a prefix: "track" and "untrack". Their words are
// about the same, or about the opposite, which is often in the same description.
func (x *Index) findKin() map[uint32][]uint32 {
	kin := map[uint32][]uint32{}
	for term, stem := range x.stems {
		for at := 1; at <= 3 && len(stem)-at >= leastKin; at++ {
			if short, ok := x.terms[stem[at:]]; ok && isPrefix(stem[:at]) {
				kin[short] = append(kin[short], uint32(term))
				kin[uint32(term)] = append(kin[uint32(term)], short)
			}
		}
	}
	return kin
}

// isPrefix reports whether English words begin with s in front of another word.
func isPrefix(s string) bool {
	switch s {
	case "un", "re", "de", "in", "dis", "sub", "pre", "non", "mis":
		return true
	}
	return false
}
