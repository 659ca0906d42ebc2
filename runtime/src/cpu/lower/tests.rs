mod tests {}
