package find

import "slices"

// Without returns the segment without some of its documents, which share its bytes and keep their numbers. Searches and
// Merge treat those documents as if they had never been added: they are not found and not counted, and words that only
// they have are unknown. The segment itself does not change.
func (s *Segment) Without(docs []uint32) *Segment {
	if len(docs) == 0 {
		return s
	}
	// Other searches use the segment at the same time, so it is not changed.
	left := *s
	left.totals = slices.Clone(s.totals)
	left.gone = make([]uint64, (s.docs+63)/64)
	copy(left.gone, s.gone)
	for _, doc := range docs {
		if int(doc) >= s.docs || left.isGone(doc) {
			continue
		}
		left.gone[doc/64] |= 1 << (doc % 64)
		left.goneDocs++
		for f := range left.totals {
			left.totals[f] -= min(left.totals[f], uint64(s.length(f, doc)))
		}
	}
	return &left
}

// isGone reports whether a document was taken out of the segment.
func (s *Segment) isGone(doc uint32) bool {
	return s.gone != nil && s.gone[doc/64]&(1<<(doc%64)) != 0
}

// livingDocs returns the number of documents that are not gone.
func (s *Segment) livingDocs() int { return s.docs - s.goneDocs }

// countLiving sets how many of the documents with a stem are not gone.
func (s *Segment) countLiving(e *entry) error {
	e.living = e.docs
	// Without documents that are gone, the stored number is right and nothing is read.
	if s.gone == nil || e.docs == 0 {
		return nil
	}
	p := s.readPostings(*e)
	for {
		ok, err := p.next()
		if err != nil || !ok {
			return err
		}
		if s.isGone(uint32(p.doc)) {
			e.living--
		}
	}
}

// isUsed reports whether a document that is not gone has a word as written, by the entry of its stem and its uses.
func (s *Segment) isUsed(stem entry, uses []byte) (bool, error) {
	// If all documents of the stem are left, so are those of the word, and if none is, the word is unknown.
	if stem.living == 0 || stem.living == stem.docs || len(uses) == 0 {
		return stem.living > 0, nil
	}
	u, p := readUses(uses, stem.docs), s.readPostings(stem)
	place := int64(-1)
	for {
		ok, err := u.next()
		if err != nil || !ok {
			return false, err
		}
		// Uses are places among the documents of the stem, whose numbers only its postings have.
		for ; place < u.place; place++ {
			if _, err := p.next(); err != nil {
				return false, err
			}
		}
		if !s.isGone(uint32(p.doc)) {
			return true, nil
		}
	}
}
