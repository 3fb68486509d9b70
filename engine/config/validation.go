package config

// validationConfig says how what an agent hands in is judged.
type validationConfig struct {
	Strict bool `yaml:"strict_output_validation"` // output that does not fit its output_schema lands nothing; else it is warned of
}
