wharf_verilate(first_touch SOURCES first_touch.sv SETS "ROWS=256")
