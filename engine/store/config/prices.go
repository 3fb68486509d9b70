package config

import (
	"chant/engine/spec"

	"chant/engine/store/shape"

	"go.yaml.in/yaml/v3"
)

// pricesConfig is the section `prices` of the settings: what the tokens of a model cost,
// in US dollars a million, by name. A * in a name matches any text.
type pricesConfig map[string]rateConfig

type rateConfig struct {
	Input       *spec.Dollars `yaml:"input"`
	CachedInput *spec.Dollars `yaml:"cached_input"` // read from a cache; nil = as input
	CacheWrite  *spec.Dollars `yaml:"cache_write"`  // written to a cache; nil = as input
	Output      *spec.Dollars `yaml:"output"`
}

// CheckWhole implements shape.Whole. A rate without input or output would result in a cost that is too low.
func (r *rateConfig) CheckWhole(node *yaml.Node, report shape.Report) {
	if r.Input == nil || r.Output == nil {
		report(node.Line, "a price needs input and output, in US dollars a million tokens")
	}
}

// Table returns the prices as a table.
func (c pricesConfig) Table() Prices {
	t := Prices{}
	for model, r := range c {
		t[model] = PriceRate{
			Input: float64(*r.Input), CachedInput: (*float64)(r.CachedInput), CacheWrite: (*float64)(r.CacheWrite), Output: float64(*r.Output),
		}
	}
	return t
}
