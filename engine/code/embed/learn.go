package embed

import (
	"math"
	"sync"
)

// batch is the memory for one step of training.
type batch struct {
	text, code       []float32 // unit vectors of the pairs
	textLen, codeLen []float32 // their lengths before
	shares           []float32 // of each code for each text, and later what each similarity is to change
	byText, byCode   []float32 // gradients of the vectors
}

// learn moves the vectors of the words so that each text of the batch becomes more similar to its code, and less to
// the others, and each code likewise (InfoNCE in both directions).
func (t *trainer) learn(pairs []int) {
	n, b := len(pairs), &t.batch
	// The memory of a step is used for all steps.
	if b.text == nil {
		b.text, b.code = make([]float32, n*t.Dim), make([]float32, n*t.Dim)
		b.byText, b.byCode = make([]float32, n*t.Dim), make([]float32, n*t.Dim)
		b.textLen, b.codeLen = make([]float32, n), make([]float32, n)
		b.shares = make([]float32, n*n)
	}
	t.each(n, func(i int) {
		p := &t.pairs[pairs[i]]
		b.textLen[i] = t.pool(b.text[i*t.Dim:][:t.Dim], p.text)
		b.codeLen[i] = t.pool(b.code[i*t.Dim:][:t.Dim], p.code)
	})
	t.each(n, func(i int) {
		products(b.shares[i*n:][:n], b.text[i*t.Dim:][:t.Dim], b.code)
	})
	t.shareOut(n)
	t.each(2*n, func(i int) {
		if i < n {
			t.gradient(b.byText[i*t.Dim:][:t.Dim], b.code, b.shares[i*n:][:n], 1)
			t.throughLength(b.byText[i*t.Dim:][:t.Dim], b.text[i*t.Dim:][:t.Dim], b.textLen[i])
			return
		}
		i -= n
		t.gradient(b.byCode[i*t.Dim:][:t.Dim], b.text, b.shares[i:], n)
		t.throughLength(b.byCode[i*t.Dim:][:t.Dim], b.code[i*t.Dim:][:t.Dim], b.codeLen[i])
	})
	t.update(pairs)
}

// each calls f for the numbers below n, on all cores. It does not matter which core gets which numbers.
func (t *trainer) each(n int, f func(i int)) {
	var group sync.WaitGroup
	for w := range t.workers {
		group.Go(func() {
			for i := w * n / t.workers; i < (w+1)*n/t.workers; i++ {
				f(i)
			}
		})
	}
	group.Wait()
}

// pool sets out to the unit vector of the words of a text, and returns its length before.
func (t *trainer) pool(out []float32, b bag) float32 {
	clear(out)
	var sum summer
	for i, w := range b.words {
		sum.add(out, t.table[int(w)*t.Dim:][:t.Dim], b.weights[i])
	}
	sum.flush(out)
	// The small number avoids a division by zero for a text without known words.
	length := float32(math.Sqrt(float64(dot(out, out)))) + 1e-9
	for d := range out {
		out[d] /= length
	}
	return length
}

// shareOut replaces the similarities of texts and codes by what they are to change: the share that each code has among
// all codes for a text, and each text among all texts for a code (softmax), less 1 for the right one.
func (t *trainer) shareOut(n int) {
	scale := 1 / t.Tau
	shares := t.batch.shares
	columns := make([]float64, n)
	exp := shares
	for i := range exp {
		// Similarities are at most 1, so subtracting it keeps the exponential from overflowing.
		exp[i] = float32(math.Exp((float64(exp[i]) - 1) * scale))
		columns[i%n] += float64(exp[i])
	}
	for i := range n {
		row, sum := shares[i*n:][:n], 0.0
		for _, x := range row {
			sum += float64(x)
		}
		for j, x := range row {
			change := float64(x)/sum + float64(x)/columns[j]
			if i == j {
				change -= 2
			}
			row[j] = float32(change * scale / 2 / float64(n))
		}
	}
}

// leastShare is the least share that counts, in either direction: those of most wrong answers are less.
const leastShare = 1e-4

// gradient sets out to the sum of rows, each times what is at its place in shares, which are step apart.
func (t *trainer) gradient(out, rows, shares []float32, step int) {
	clear(out)
	var sum summer
	for j := 0; j*t.Dim < len(rows); j++ {
		// Most shares are so small that they change nothing, and skipping them saves a third of the time.
		if s := shares[j*step]; s > leastShare || s < -leastShare {
			sum.add(out, rows[j*t.Dim:][:t.Dim], s)
		}
	}
	sum.flush(out)
}

// throughLength turns the gradient of a unit vector into that of the vector before it got the length 1.
func (t *trainer) throughLength(gradient, unit []float32, length float32) {
	// Only the part across the vector changes its direction.
	along := dot(gradient, unit)
	for d := range gradient {
		gradient[d] = (gradient[d] - along*unit[d]) / length
	}
}

// update moves the vectors of the words of the pairs.
func (t *trainer) update(pairs []int) {
	var group sync.WaitGroup
	for worker := range t.workers {
		group.Go(func() {
			for i, p := range pairs {
				t.move(t.pairs[p].text, t.batch.byText[i*t.Dim:][:t.Dim], worker)
				t.move(t.pairs[p].code, t.batch.byCode[i*t.Dim:][:t.Dim], worker)
			}
		})
	}
	group.Wait()
}

// move moves those words of a text that belong to a worker.
func (t *trainer) move(b bag, gradient []float32, worker int) {
	rate, length := float32(t.Rate), dot(gradient, gradient)
	for i, w := range b.words {
		// Each core moves words of its own, in the order of the pairs: the result does not depend on how many cores there
		// are.
		if int(w)%t.workers != worker {
			continue
		}
		row, weight := t.table[int(w)*t.Dim:][:t.Dim], b.weights[i]
		sum := &t.sums[w]
		squares := length * weight * weight
		*sum += squares / float32(t.Dim)
		addScaled(row, gradient, -rate*weight/(float32(math.Sqrt(float64(*sum)))+1e-8))
	}
}

// dot returns the product of two vectors of the same length.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	// Four sums in turn need not wait for each other.
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := (*[4]float32)(a[i:]), (*[4]float32)(b[i:])
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + (s2 + s3)
}

// products sets out to the products of a vector and each of the rows.
func products(out, vector, rows []float32) {
	dim := len(vector)
	j := 0
	for ; j+4 <= len(out); j += 4 {
		r := rows[j*dim:]
		r0, r1, r2, r3 := r[:dim], r[dim:][:dim], r[2*dim:][:dim], r[3*dim:][:dim]
		var s0, s1, s2, s3 float32
		for d, x := range vector {
			s0 += x * r0[d]
			s1 += x * r1[d]
			s2 += x * r2[d]
			s3 += x * r3[d]
		}
		out[j], out[j+1], out[j+2], out[j+3] = s0, s1, s2, s3
	}
	for ; j < len(out); j++ {
		out[j] = dot(vector, rows[j*dim:][:dim])
	}
}

// addScaled adds a vector times a number.
func addScaled(out, vector []float32, times float32) {
	vector = vector[:len(out)]
	i := 0
	for ; i+8 <= len(out); i += 8 {
		o, v := (*[8]float32)(out[i:]), (*[8]float32)(vector[i:])
		o[0] += times * v[0]
		o[1] += times * v[1]
		o[2] += times * v[2]
		o[3] += times * v[3]
		o[4] += times * v[4]
		o[5] += times * v[5]
		o[6] += times * v[6]
		o[7] += times * v[7]
	}
	for ; i < len(out); i++ {
		out[i] += times * vector[i]
	}
}

// summer adds vectors times numbers to a sum, four at once.
type summer struct {
	n     int // that wait
	rows  [4][]float32
	times [4]float32
}

func (s *summer) add(out, row []float32, times float32) {
	s.rows[s.n], s.times[s.n] = row, times
	if s.n++; s.n < len(s.rows) {
		return
	}
	s.n = 0
	n := len(out)
	r0, r1, r2, r3 := s.rows[0][:n], s.rows[1][:n], s.rows[2][:n], s.rows[3][:n]
	t0, t1, t2, t3 := s.times[0], s.times[1], s.times[2], s.times[3]
	for d := range out {
		out[d] += t0*r0[d] + t1*r1[d] + (t2*r2[d] + t3*r3[d])
	}
}

// flush adds what waits.
func (s *summer) flush(out []float32) {
	for i := range s.n {
		addScaled(out, s.rows[i], s.times[i])
	}
	s.n = 0
}
