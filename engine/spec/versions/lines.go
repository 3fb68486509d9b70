package versions

import (
	"bytes"
	"slices"
)

// maxComparisons bounds the product of the numbers of lines of two texts that are compared.
const maxComparisons = 16 << 20

// carryLines applies the changes from base to edited to another text, line by line. Added lines are put after the
// nearest line above them that the text has too. Replaced lines must be in the text; otherwise clash is true and the
// text is returned unchanged. A change that the text already has is not made again.
func carryLines(base, text, edited []byte) (out []byte, clash bool) {
	from, to, lines := linesOf(base), linesOf(edited), linesOf(text)
	kept, ok := matchLines(from, to)
	there, okToo := matchLines(from, lines)
	// An edit that cannot be placed is a conflict and is never guessed.
	if !ok || !okToo {
		return text, true
	}
	drop, add := map[int]bool{}, map[int][][]byte{} // by lines of the text; add is put after the line
	own := ownLines(there, len(lines))
	next, anchor := 0, -1
	for i := 0; i <= len(from); i++ {
		end := len(to)
		if i < len(from) {
			if kept[i] < 0 {
				// It is decided together with all lines up to the next kept one.
				continue
			}
			end = kept[i]
		}
		gone := removedBefore(kept, i)
		// The same edit may have been carried before.
		if last, ok := hasChange(gone, there, to[next:end], lines, own, anchorOf(there, gone, i, anchor)); ok {
			anchor, next = last, end+1
			continue
		}
		// The lines were changed in the text too, so the replacement could lose that change.
		if !dropLines(gone, there, end > next, drop) {
			return text, true
		}
		anchor = anchorOf(there, gone, i, anchor)
		add[anchor] = append(add[anchor], to[next:end]...)
		next = end + 1
	}
	return assemble(lines, drop, add), false
}

// removedBefore lists the lines of base directly before i that the edit has not kept.
func removedBefore(kept []int, i int) (gone []int) {
	for j := i - 1; j >= 0 && kept[j] < 0; j-- {
		gone = append(gone, j)
	}
	slices.Reverse(gone)
	return gone
}

// ownLines reports for each line of the text whether it is not in base.
func ownLines(there []int, n int) []bool {
	own := slices.Repeat([]bool{true}, n)
	for _, at := range there {
		if at >= 0 {
			own[at] = false
		}
	}
	return own
}

// hasChange reports whether the text has a change already, and on which line it ends: the removed lines are gone, and
// the added ones are among the text's own lines after the anchor.
func hasChange(gone, there []int, added, lines [][]byte, own []bool, anchor int) (last int, ok bool) {
	if len(added) == 0 || slices.ContainsFunc(gone, func(j int) bool { return there[j] >= 0 }) {
		return 0, false
	}
	end := anchor + 1
	for end < len(lines) && own[end] {
		end++
	}
	for at := anchor + 1; at+len(added) <= end; at++ {
		if slices.EqualFunc(added, lines[at:at+len(added)], bytes.Equal) {
			return at + len(added) - 1, true
		}
	}
	return 0, false
}

// dropLines marks the removed lines in the text. It returns false if they were replaced and one is not in the text.
func dropLines(gone, there []int, replaced bool, drop map[int]bool) bool {
	for _, j := range gone {
		if there[j] >= 0 {
			drop[there[j]] = true
		} else if replaced {
			return false
		}
	}
	return true
}

// anchorOf returns the line of the text after which lines are added that the edit has before line i of base.
func anchorOf(there, gone []int, i, before int) int {
	first := i - len(gone)
	for j := i - 1; j >= 0; j-- {
		// Lines next to a replaced line belong to its place.
		if there[j] >= 0 && (j < first || len(gone) > 0) {
			return max(there[j], before)
		}
	}
	return before
}

func assemble(lines [][]byte, drop map[int]bool, add map[int][][]byte) []byte {
	out := slices.Concat(add[-1]...)
	for i, line := range lines {
		if !drop[i] {
			out = append(out, line...)
		}
		out = append(out, slices.Concat(add[i]...)...)
	}
	return out
}

// linesOf splits a text into lines with their line ends, and adds one to the last line if it has none.
func linesOf(text []byte) [][]byte {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(slices.Clone(text), '\n')
	}
	return slices.Collect(bytes.Lines(text))
}

// matchLines returns for each line of a the line of b that it matches in a longest common subsequence, -1 for none. It
// returns false if the texts are too long to compare.
func matchLines(a, b [][]byte) ([]int, bool) {
	out := make([]int, len(a))
	for i := range out {
		out[i] = -1
	}
	// Most texts differ in a few lines, and equal ends need no table.
	lo, endA, endB := 0, len(a), len(b)
	for lo < endA && lo < endB && bytes.Equal(a[lo], b[lo]) {
		out[lo] = lo
		lo++
	}
	for endA > lo && endB > lo && bytes.Equal(a[endA-1], b[endB-1]) {
		endA, endB = endA-1, endB-1
		out[endA] = endB
	}
	n, m := endA-lo, endB-lo
	// The table would need too much memory.
	if n*m > maxComparisons {
		return nil, false
	}
	length := make([][]int32, n+1) // of the longest common subsequence from here on
	for i := range length {
		length[i] = make([]int32, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if bytes.Equal(a[lo+i], b[lo+j]) {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case bytes.Equal(a[lo+i], b[lo+j]):
			out[lo+i] = lo + j
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out, true
}
