module chant/grammars

go 1.26.0
