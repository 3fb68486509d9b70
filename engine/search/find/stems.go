package find

// EachStem reads all stems in their order. It calls begin for each, and if that returns true, use for each document
// with the stem that is not gone, in order, with how often all its fields together contain the stem, until use returns
// false. begin must not keep the text. Errors: ErrBroken.
func (s *Segment) EachStem(begin func(stem []byte) bool, use func(doc uint32, times int) bool) error {
	if s.entries == 0 {
		return nil
	}
	walk := dictWalk{segment: s, at: -1}
	for {
		if err := walk.next(); err != nil || walk.done {
			return err
		}
		if walk.entry.docs == 0 || !begin(walk.text.text) {
			continue
		}
		p := s.readPostings(walk.entry)
		for more := true; more; {
			ok, err := p.next()
			if err != nil {
				return err
			}
			more = ok && (s.isGone(uint32(p.doc)) || use(uint32(p.doc), p.counts.sum()))
		}
	}
}

// sum returns the occurrences in all fields together.
func (c *counts) sum() int {
	n := 0
	for _, times := range c {
		n += int(times)
	}
	return n
}
