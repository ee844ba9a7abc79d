package io.github.lockboot.test.example;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The application of the example.
 */
@SpringBootApplication
class ShopApplication {

}
