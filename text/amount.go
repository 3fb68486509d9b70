package text

import "strconv"

// Amount returns a number in thousands, millions or billions with three digits: 950, 1.23k, 45.6M.
func Amount(n int) string {
	value := float64(n)
	for _, unit := range []string{"", "k", "M"} {
		// This is where three digits would round up to the next unit.
		if value < 999.5 {
			return digits(value, unit)
		}
		value /= 1000
	}
	return digits(value, "G")
}

func digits(value float64, unit string) string {
	decimals := 0
	if unit != "" && value < 9.995 {
		decimals = 2
	} else if unit != "" && value < 99.95 {
		decimals = 1
	}
	return strconv.FormatFloat(value, 'f', decimals, 64) + unit
}
