# The callback that does nothing.
routine 0044ad80
    ret
