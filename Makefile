# Each target is a script, so nothing is lost where `make` is missing.
.PHONY: demo test check format wheel

demo:    ## find and replace what stands in examples/personnel_page.png
	scripts/demo.sh

test:    ## every check, then the tests
	scripts/test.sh

check: test  ## all that CI does

format:  ## mend what can be mended
	scripts/format.sh

wheel:   ## build dist/, and test what users will install
	scripts/wheel.sh
