val springBootVersion = "4.1.1"
val lockVersion = "1.0.0-SNAPSHOT"

plugins {
	java
}
apply(from = "../application.gradle")

dependencies {
	implementation(platform("org.springframework.boot:spring-boot-dependencies:$springBootVersion"))
	implementation(platform("io.github.lockboot:lock-spring-boot-bom:$lockVersion"))
	implementation("io.github.lockboot:lock-spring-boot-starter")
	testImplementation("io.github.lockboot:lock-spring-boot-starter-test")
}
