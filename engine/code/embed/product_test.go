package embed

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestProduct: the product is that of the signed bytes and the numbers, however large these are.
func TestProduct(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(1, 40).Draw(t, "dim")
		if rapid.IntRange(0, 9).Draw(t, "long") == 0 {
			dim = rapid.SampledFrom([]int{128, 511, 512, 768, 4096}).Draw(t, "long dim")
		}
		extreme := rapid.Bool().Draw(t, "extreme")
		query, row := make([]float32, dim), make([]byte, dim)
		random := rapid.Uint64().Draw(t, "random")
		for i := range query {
			x := next(&random)
			query[i], row[i] = float32(int32(x)), byte(x>>32)
			if extreme {
				query[i], row[i] = 1-float32(x>>40&2), 0x80-byte(x>>50&1)
				if x>>60 == 0 {
					query[i] = float32(math.Inf(1))
				}
			}
		}
		whole, _ := wholeNumbers(query)
		want := int64(0)
		for i := range row {
			want += int64(int8(row[i])) * int64(whole[i])
		}
		f := newFactor(whole)
		if got := f.product(row); int64(got) != want {
			t.Fatalf("%d, want %d for %v and %v", got, want, whole, row)
		}
	})
}
