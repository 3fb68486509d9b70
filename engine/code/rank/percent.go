package rank

import "math"

// Percent returns a score as a share of the best score of the answer, from 0 to 100. A higher score never has a lower
// percentage.
func Percent(score, best float64) int {
	if !(best > 0) {
		return 0
	}
	return int(math.Round(100 * clamp(score/best)))
}
